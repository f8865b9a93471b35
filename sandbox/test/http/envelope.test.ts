import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../server/index.js'
import { Endpoint, never, status } from '../support/endpoint.js'
import {
  CUSTOMERS,
  type Data,
  INTENTS,
  Service,
  SIGNATURE_KEY,
  startWithEndpoint,
} from '../support/service.js'

const MEBIBYTE = 1024 * 1024
const NO_SUCH_PATH = 'There is nothing like this; every path under /api/ and /direct/ ends with a slash'
const LAST = 'Connection: close\r\n'

function envelope(code: number, message: string, errors: readonly object[] = []) {
  return { status: { code, message, errors }, data: null, count: 0, next: null, previous: null }
}

/** Sends bytes that `fetch` would never send, and returns the head and the body of the answer. */
async function say(service: Service, text: string): Promise<readonly [head: string, body: string]> {
  const socket = connect(Number(new URL(service.sandbox.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(text)
  let heard = ''
  for await (const chunk of socket.setEncoding('utf8')) heard += chunk as string
  return heard.split('\r\n\r\n') as [string, string]
}

describe('The body of a request', () => {
  it.each([
    ['no JSON', 'amount=10'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['excessive depth', '['.repeat(65) + ']'.repeat(65)],
    ['an object of such a depth', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('is refused with 400: %s', async (_, body) => {
    const service = await Service.start()
    await service.refuses(() => service.call('POST', CUSTOMERS, { body }), 400, {
      body: 'is not JSON, or is nested deeper than 64 levels',
    })
  })

  it.each(['[]', '"text"', '1', 'null', 'true', '', undefined])(
    'is refused with 400 if it is not an object: %s',
    async (body) => {
      const service = await Service.start()
      const call = () => service.call('POST', INTENTS, { body })
      await service.refuses(call, 400, { body: 'must be an object' })
    },
  )

  it('is refused with 413 if it is larger than 1 MiB, whether its length was announced or not', async () => {
    const service = await Service.start()
    const around = JSON.stringify({ first_name: '' }).length
    const largest = JSON.stringify({ first_name: 'x'.repeat(MEBIBYTE - around) })
    expect((await service.call('POST', CUSTOMERS, { body: largest })).code).toBe(200)
    const refusal = envelope(413, 'The body is larger than 1 MiB')
    const call = () => service.call('POST', CUSTOMERS, { body: `${largest} ` })
    expect(JSON.parse((await service.refuses(call, 413)).text)).toEqual(refusal)
    const key = service.sandbox.apiKeys.account
    const head =
      `POST ${CUSTOMERS} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n` +
      `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${LAST}\r\n`
    const size = MEBIBYTE + 1
    const [first, body] = await say(
      service,
      `${head}${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`,
    )
    expect(first).toContain('HTTP/1.1 413 Payload Too Large')
    expect(JSON.parse(body)).toEqual(refusal)
    expect((await service.get(CUSTOMERS)).count).toBe(1)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded'])('is refused with 415 as %s', async (type) => {
    const service = await Service.start()
    const headers = { 'Content-Type': type }
    await service.refuses(() => service.call('POST', CUSTOMERS, { body: '{}', headers }), 415)
  })

  it('may have a charset or a byte order mark', async () => {
    const service = await Service.start()
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    expect((await service.call('POST', CUSTOMERS, { body: '\ufeff{}', headers })).code).toBe(200)
  })

  // Specification: envelope
  it('is answered with all that is wrong at once, in the envelope', async () => {
    const service = await Service.start()
    const fields = { amount: '10', operation: 1, recurring_data: {} }
    const { text } = await service.refuses(() => service.intent(fields), 400)
    const problems = [
      { amount: 'must be a number' },
      { operation: 'must be a string' },
      { operation: 'must be one of purchase' },
      { 'recurring_data.agreement_id': 'is missing' },
    ]
    expect(JSON.parse(text)).toEqual(envelope(400, 'The request is not valid', problems))
  })
})

describe('Paths and methods', () => {
  it.each(['/nope', '/api/v1.4/customers', '/_sandbox/'])('%s: 404', async (path) => {
    const service = await Service.start()
    const { text } = await service.call('GET', path, { isUnlisted: true })
    expect(JSON.parse(text)).toEqual(envelope(404, NO_SUCH_PATH))
  })

  it.each([
    ['DELETE', CUSTOMERS, 'GET, HEAD, POST'],
    ['GET', '/api/v1.1/payments/intent/', 'POST'],
    ['POST', SIGNATURE_KEY, 'GET, HEAD'],
    ['POST', '/_sandbox/stream', 'GET'],
    ['POST', '/', 'GET, HEAD'],
    ['PUT', '/vault/form/int_1/', 'GET, HEAD'],
  ])('%s %s: 405, and says that it takes %s', async (method, path, allow) => {
    const service = await Service.start()
    // Whatever the body is, it is not wanted.
    const options = { isUnlisted: true, ...(method !== 'GET' && { body: 'no JSON' }) }
    const { headers, text } = await service.refuses(() => service.call(method, path, options), 405)
    expect(headers.get('allow')).toBe(allow)
    expect(JSON.parse(text)).toEqual(envelope(405, 'This method is not allowed here'))
  })

  it('HEAD is GET without a body, and never ends up in the stream', async () => {
    const { sandbox } = await Service.start()
    const [settings, stream] = await Promise.all(
      ['health/', 'stream'].map((path) => fetch(`${sandbox.url}/_sandbox/${path}`, { method: 'HEAD' })),
    )
    expect([settings!.status, await settings!.text()]).toEqual([200, ''])
    expect(stream!.status).toBe(405)
  })

  it.each(['/api/v1.4/customers/%ZZ/', '/api/v1.4/customers/%E0%A4%A/'])('%s: 400', async (path) => {
    const service = await Service.start()
    const { code, status } = await service.call('GET', path, { isUnlisted: true })
    expect([code, status.errors]).toEqual([400, []])
  })

  it('an id may look like anything, and have any length', async () => {
    const service = await Service.start()
    const long = [90, 101, 2000, 12_000].map((length) => 'x'.repeat(length))
    for (const id of ['__proto__', 'constructor', '..%2f..', '%00', ...long]) {
      for (const path of [
        `${INTENTS}${id}/`,
        `/api/v1.4/transactions/${id}/`,
        `/vault/form/${id}/state/`,
        `/_sandbox/deliveries/${id}/`,
      ])
        expect((await service.get(path)).code, path).toBe(404)
      for (const path of [`${CUSTOMERS}${id}/`, `${CUSTOMERS}${id}/cards/`])
        expect((await service.get(path)).code, path).toBe(400)
      const direct = `/direct/payments/intents/${id}/card_token/`
      expect((await service.post(direct, { card_token: 'x' })).code).toBe(404)
      expect((await fetch(`${service.sandbox.url}/vault/assets/form/${id}`)).status).toBe(404)
    }
  })

  it('no cache stores an answer, and no browser guesses what it is', async () => {
    const service = await Service.start()
    for (const path of [CUSTOMERS, '/nope', '/_sandbox/overview/', '/openapi.json']) {
      const { headers } = await fetch(service.sandbox.url + path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-type': 'application/json; charset=utf-8',
      })
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })
})

it.each(['HTTP/1.1', 'HTTP/1.0'])(
  'a request without Host is refused in the envelope, with %s',
  async (version) => {
    const service = await Service.start()
    const [, body] = await say(service, `GET ${CUSTOMERS} ${version}\r\n${LAST}\r\n`)
    expect(JSON.parse(body)).toEqual(envelope(400, 'The request is not valid', [{ Host: 'is missing' }]))
  },
)

describe('What goes wrong inside', () => {
  it('is 500 without a word about it, and the log has the words', async () => {
    const clock = manualClock()
    let isBroken = false
    const now = () => {
      if (isBroken) throw new Error('A screw is loose')
      return clock.now()
    }
    const service = await Service.start({ clock: { ...clock, now } })
    isBroken = true
    const path = '/_sandbox/keys/'
    const { text } = await service.call('POST', path, { body: { type: 'account' }, isUnlisted: true })
    expect(JSON.parse(text)).toEqual(envelope(500, 'Something went wrong in the service'))
    expect(service.lines.slice(-2)).toEqual([`POST ${path} Error: A screw is loose`, `POST ${path} 500`])
  })

  it('is in the log if the outcome of an attempt cannot be stored', async () => {
    const endpoint = await Endpoint.start()
    const onAttempt = () => {
      throw new Error('ENOSPC')
    }
    const service = await Service.start({ onAttempt })
    await service.sent(endpoint.url)
    expect(service.lines).toContain('an attempt could not be stored: Error: ENOSPC')
  })

  it('is not in the log if an attempt is aborted by the end of the sandbox', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(status(500), never)
    await service.compose({ template: 'intent-processed', url: endpoint.url })
    await service.sandbox.idle()
    const [{ id }] = (await service.get('/_sandbox/newest/deliveries/')).list as [Data]
    const resent = service.resend(id).catch(() => undefined)
    await endpoint.until(2)
    await service.sandbox.close()
    await resent
    expect(service.lines.filter((line) => /^an attempt|error/i.test(line))).toEqual([])
    expect(service.lines.filter((line) => line.startsWith('delivery'))).toHaveLength(1)
  })
})
