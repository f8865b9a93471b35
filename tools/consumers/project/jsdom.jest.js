/** @jest-environment jsdom */
// Jest's jsdom uses the condition "browser" and supports only CommonJS.
const { webcrypto } = require('node:crypto')
const { TextDecoder, TextEncoder } = require('node:util')
const { runInThisContext } = require('node:vm')
const { publicEntries } = require('./cases.cjs')
const { BODY, SECRET: secret, signatureOf } = require('./delivery.cjs')

const coreEntries = ['@service-signature/core', '@service-signature/core/receiver']
const browserEntries = [...coreEntries, '@service-signature/explain']
const webEntries = [...browserEntries, '@service-signature/core/testing', '@service-signature/fetch']

test('the entries for browsers are those of CommonJS', () => {
  expect(publicEntries().map(({ entry }) => entry)).toEqual(expect.arrayContaining(browserEntries))
  for (const entry of browserEntries) {
    expect(require.resolve(entry)).toMatch(/[\\/]dist[\\/]\w+\.web\.cjs$/)
  }
})

test.each(webEntries)('%s is loaded without the globals that jsdom lacks', (entry) => {
  expect(typeof globalThis.TextEncoder).toBe('undefined')
  expect(Object.keys(require(entry))).not.toEqual([])
})

test('a handler is called with verifiedWebhook, without the globals that jsdom lacks', () => {
  const { intentEvent, transactionEvent, verifiedWebhook } = require('@service-signature/core/testing')
  const paid = verifiedWebhook(transactionEvent())
  expect(paid).toMatchObject({ type: 'transaction.purchase.successful', versions: ['v3'] })
  for (const { payload, rawBody } of [paid, verifiedWebhook(intentEvent())]) {
    expect(JSON.parse(Buffer.from(rawBody).toString('latin1'))).toEqual(payload)
  }
})

describe('with the globals of Node that jsdom lacks', () => {
  const cryptoOfJsdom = Object.getOwnPropertyDescriptor(globalThis, 'crypto')
  // Node has no module that exports these; its own context has them.
  const [Request, Response] = ['Request', 'Response'].map((name) => runInThisContext(name))

  beforeEach(() => {
    Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true })
    Object.assign(globalThis, { Request, Response, TextDecoder, TextEncoder })
  })

  afterEach(() => {
    Object.defineProperty(globalThis, 'crypto', cryptoOfJsdom)
    for (const name of ['Request', 'Response', 'TextDecoder', 'TextEncoder']) {
      Reflect.deleteProperty(globalThis, name)
    }
  })

  test('a delivery is verified', async () => {
    const { verify } = require('@service-signature/core')
    const verified = verify(BODY, signatureOf(BODY), { secret })
    await expect(verified).resolves.toMatchObject({ event: { receivedType: 'intent.processed' } })
    const forged = verify(BODY, signatureOf('{}'), { secret })
    await expect(forged).rejects.toMatchObject({ code: 'ERR_SIGNATURE_MISMATCH' })
  })

  test('a forged delivery is explained', async () => {
    const { explain } = require('@service-signature/explain')
    await expect(explain(BODY, signatureOf(BODY), { secret })).resolves.toMatchObject({ ok: true })
    const report = await explain(`${BODY}\n`, signatureOf(BODY), { secret })
    expect(report).toMatchObject({ ok: false, hypotheses: [{ names: ['body-trailing-newline'] }] })
  })

  test('a route handler accepts a valid delivery and refuses a forged one', async () => {
    const { serviceSignature } = require('@service-signature/fetch')
    const handler = jest.fn()
    const handle = serviceSignature({ secret }, handler)
    const statusOf = async (signature) => {
      const headers = { 'Service-Signature': signature }
      const url = 'http://localhost/webhooks'
      return (await handle(new Request(url, { method: 'POST', headers, body: BODY }))).status
    }
    expect(await statusOf(signatureOf('{}'))).toBe(401)
    expect(handler).not.toHaveBeenCalled()
    expect(await statusOf(signatureOf(BODY))).toBe(204)
    expect(handler).toHaveBeenCalledTimes(1)
  })
})
