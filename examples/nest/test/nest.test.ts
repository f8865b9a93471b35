import type { INestApplication } from '@nestjs/common'
import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { PaymentsService } from '../src/payments.service.js'
import { deliver, newIntent, newTransaction, post, recordLog, SECRET, sign } from './support.js'

const HOUR = 3600
const LARGE = 200 * 1024

const log = recordLog()
vi.stubEnv('HOST', '127.0.0.1')
vi.stubEnv('PORT', '0')
vi.stubEnv('WEBHOOK_SECRET', SECRET)

const MAINS: readonly [string, () => Promise<{ app: Promise<INestApplication> }>][] = [
  ['Express', () => import('../src/main-express.js')],
  ['Fastify', () => import('../src/main-fastify.js')],
]

describe.each(MAINS)('Nest on %s', (platform, main) => {
  let app: INestApplication
  let paid: Mock<PaymentsService['paid']>
  let changed: Mock<PaymentsService['changed']>

  beforeAll(async () => {
    app = await (await main()).app
    paid = vi.spyOn(app.get(PaymentsService), 'paid')
    changed = vi.spyOn(app.get(PaymentsService), 'changed')
  })
  beforeEach(() => {
    vi.clearAllMocks()
  })
  afterAll(() => app.close())

  function expectNothingHandled() {
    expect(paid).not.toHaveBeenCalled()
    expect(changed).not.toHaveBeenCalled()
  }

  it('hands a transaction to its handler, once', async () => {
    const { body, payload } = newTransaction()
    expect(await deliver(app, body)).toMatchObject({ status: 204, text: '' })
    expect(paid.mock.calls).toEqual([[payload]])
    expect(changed).not.toHaveBeenCalled()
  })

  it('hands an intent to its handler, once', async () => {
    const { body, payload } = newIntent()
    expect(await deliver(app, body)).toMatchObject({ status: 204, text: '' })
    expect(changed.mock.calls).toEqual([[payload]])
    expect(paid).not.toHaveBeenCalled()
  })

  it.each(['application/json; charset=latin1', 'application/x-www-form-urlencoded', 'text/plain'])(
    'takes a delivery whatever its content type is: %s',
    async (type) => {
      const { body, payload } = newTransaction()
      expect((await post(app, body, sign(body), { type })).status).toBe(204)
      expect(paid.mock.calls).toEqual([[payload]])
    },
  )

  it('takes what the test kit makes', async () => {
    const url = `${await app.getUrl()}/webhooks`
    const request = signedRequest(transactionEvent(), { secret: 'test_signature_key', url })
    const { status } = await fetch(url, request)

    expect(status).toBe(204)
    expect(paid.mock.calls).toEqual([[transactionEvent()]])
  })

  it("takes a delivery above the limit of Express's JSON parser", async () => {
    const { payload } = newTransaction()
    const large = { ...payload, note: 'x'.repeat(LARGE) }
    expect((await deliver(app, JSON.stringify(large))).status).toBe(204)
    expect(paid.mock.calls).toEqual([[large]])
  })

  const REFUSED: readonly [string, string, (body: string) => readonly [string, string?]][] = [
    ['has no signature', 'ERR_SIGNATURE_MISSING', (body) => [body]],
    ['is forged', 'ERR_SIGNATURE_MISMATCH', (body) => [body, sign(body, { secret: 'another_key' })]],
    ['was changed', 'ERR_SIGNATURE_MISMATCH', (body) => [body.replace('50.5', '10.5'), sign(body)]],
    ['is stale', 'ERR_TIMESTAMP_TOO_OLD', (body) => [body, sign(body, { age: HOUR })]],
    ['is of the future', 'ERR_TIMESTAMP_IN_FUTURE', (body) => [body, sign(body, { age: -HOUR })]],
    ['lacks v3', 'ERR_SIGNATURE_VERSION_MISSING', (body) => [body, sign(body, { version: 'v2' })]],
  ]

  it.each(REFUSED)('refuses a delivery that %s, and tells the operator alone why', async (_, code, make) => {
    const [body, signature] = make(newTransaction().body)
    const { status, headers, text } = await post(app, body, signature)
    expect({ status, text }).toEqual({ status: 401, text: '{"statusCode":401}' })
    expect(headers.get('www-authenticate')).toBe('Service-Signature')
    expectNothingHandled()
    expect(log.warn.mock.calls).toEqual([[expect.stringContaining(`${code}: `), 'Webhooks']])
    expect(log.error).not.toHaveBeenCalled()
  })

  it('refuses a malformed signature with 400, and no word more', async () => {
    const { status, text } = await post(app, newTransaction().body, 't=1,v3=abc')
    expect({ status, text }).toEqual({ status: 400, text: '{"statusCode":400}' })
    expectNothingHandled()
    expect(log.error).not.toHaveBeenCalled()
  })

  it('refuses before the body is looked at: one that is no JSON is no other answer', async () => {
    expect((await post(app, '{"a":', undefined)).status).toBe(401)
    expectNothingHandled()
  })

  it('acknowledges a delivery that was handled before, and does not handle it again', async () => {
    const { body } = newTransaction()
    expect((await deliver(app, body)).status).toBe(204)
    expect(await deliver(app, body)).toMatchObject({ status: 200, text: '' })
    expect(paid).toHaveBeenCalledTimes(1)
  })

  it('answers 500 where the handler fails, and handles the delivery when it comes again', async () => {
    const { body, payload } = newTransaction()
    paid.mockRejectedValueOnce(new Error('the database of the shop is down'))
    const { status, text } = await deliver(app, body)
    expect(status).toBe(500)
    expect(text).not.toContain('database')
    expect(log.error).toHaveBeenCalledTimes(1)

    expect((await deliver(app, body)).status).toBe(204)
    expect(paid.mock.calls).toEqual([[payload], [payload]])
  })

  it('sends a delivery away that is being handled, and says when to come back', async () => {
    const { body } = newTransaction()
    const news = new EventEmitter()
    const started = once(news, 'started')
    paid.mockImplementationOnce(async () => {
      const isToEnd = once(news, 'end')
      news.emit('started')
      await isToEnd
    })
    const first = deliver(app, body)
    await started

    const { status, headers } = await deliver(app, body)
    expect(status).toBe(409)
    expect(headers.get('retry-after')).toBe('10')
    news.emit('end')
    expect((await first).status).toBe(204)
    expect(paid).toHaveBeenCalledTimes(1)
  })

  it('parses the JSON of other routes, and asks for no signature there', async () => {
    const { status, text } = await post(app, '{"item":7}', undefined, { path: '/orders' })
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({
      status: 201,
      body: { ordered: { item: 7 } },
    })
  })

  it.runIf(platform === 'Express')("leaves Nest's own limit to other routes", async () => {
    const order = JSON.stringify({ note: 'x'.repeat(LARGE) })
    expect((await post(app, order, undefined, { path: '/orders' })).status).toBe(413)
  })
})
