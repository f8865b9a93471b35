import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { answerClientError } from '../server/http/errors.js'
import { urlOf } from '../server/http/same-machine.js'
import { buildServer } from '../server/server.js'
import { RunningService as InnerService } from '../server/service.js'
import { checkOptions } from '../server/options.js'
import { Endpoint, never, status } from './support/endpoint.js'
import { CUSTOMERS, INTENTS, Service, SIGNATURE_KEY } from './support/service.js'
import { ACCOUNTS } from '../server/accounts/records.js'

const MEBIBYTE = 1024 * 1024

const TOO_LARGE = {
  status: { code: 413, message: 'The body is larger than 1 MiB', errors: [] },
  data: null,
  count: 0,
  next: null,
  previous: null,
}

/** What a server says to bytes that `fetch` would never send. */
async function say(service: Service, text: string): Promise<string> {
  const { port } = new URL(service.sandbox.url)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  await once(socket, 'connect')
  socket.write(text)
  let heard = ''
  for await (const chunk of socket) heard += chunk as string
  return heard
}

describe('Bodies', () => {
  it.each([
    ['no JSON', 'amount=10'],
    ['half of it', '{"amount":'],
    ['two of it', '{}{}'],
    ['NaN', '{"amount":NaN}'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['excessive depth', '['.repeat(65) + ']'.repeat(65)],
    ['a depth that breaks parsers', '['.repeat(500_000)],
    ['an object of such a depth', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('%s: 400', async (_, body) => {
    const service = await Service.start()
    const { code, status } = await service.call('POST', CUSTOMERS, { body })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ body: 'is not JSON, or is nested deeper than 64 levels' }])
    expect((await service.get(CUSTOMERS)).count).toBe(0)
  })

  it.each(['[]', '"text"', '1', 'null', 'true', ''])('%s instead of an object: 400', async (body) => {
    const service = await Service.start()
    const { code, status } = await service.call('POST', CUSTOMERS, { body })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ body: 'must be an object' }])
  })

  it('none at all: 400', async () => {
    const service = await Service.start()
    const { code, status } = await service.post(INTENTS)
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ body: 'must be an object' }])
  })

  it('as large as 1 MiB is read, and larger is 413', async () => {
    const service = await Service.start()
    const around = JSON.stringify({ first_name: '' }).length
    const fits = JSON.stringify({ first_name: 'x'.repeat(MEBIBYTE - around) })
    expect(fits).toHaveLength(MEBIBYTE)
    expect((await service.call('POST', CUSTOMERS, { body: fits })).code).toBe(200)
    const { code, text } = await service.call('POST', CUSTOMERS, { body: `${fits} ` })
    expect(code).toBe(413)
    expect(JSON.parse(text)).toEqual(TOO_LARGE)
    expect((await service.get(CUSTOMERS)).count).toBe(1)
  })

  it('larger than 1 MiB is 413, too, where no length was announced', async () => {
    const service = await Service.start()
    const head =
      `POST ${CUSTOMERS} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${service.sandbox.apiKeys.account}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
    const size = MEBIBYTE + 1
    const heard = await say(service, `${head}${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`)
    const [status, body] = [heard.split('\r\n', 1)[0], heard.slice(heard.indexOf('{'))]
    expect(status).toBe('HTTP/1.1 413 Payload Too Large')
    expect(JSON.parse(body)).toEqual(TOO_LARGE)
    expect((await service.get(CUSTOMERS)).count).toBe(0)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ])('as %s: 415', async (type) => {
    const service = await Service.start()
    const { code } = await service.call('POST', CUSTOMERS, { body: '{}', headers: { 'Content-Type': type } })
    expect(code).toBe(415)
    expect((await service.get(CUSTOMERS)).count).toBe(0)
  })

  it('with a charset or a byte order mark it is JSON, too', async () => {
    const service = await Service.start()
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    expect((await service.call('POST', CUSTOMERS, { body: '\ufeff{}', headers })).code).toBe(200)
  })

  it('says all that is wrong at once', async () => {
    const service = await Service.start()
    const { status } = await service.post(INTENTS, { amount: '10', operation: 1, recurring_data: {} })
    expect(status.errors).toEqual([
      { amount: 'must be a number' },
      { operation: 'must be a string' },
      { operation: 'must be one of purchase' },
      { 'recurring_data.agreement_id': 'is missing' },
    ])
  })
})

describe('Paths and methods', () => {
  it.each([
    '/nope',
    '/api/v1.4/customers',
    '/api/v1.2/payments/intent/',
    '/API/v1.4/customers/',
    '//',
    '/_sandbox/',
  ])('%s: 404', async (path) => {
    const service = await Service.start()
    const { code, text } = await service.call('GET', path, { isUnlisted: true })
    expect(code).toBe(404)
    expect(JSON.parse(text)).toEqual({
      status: {
        code: 404,
        message: 'There is nothing like this; every path under /api/ and /direct/ ends with a slash',
        errors: [],
      },
      data: null,
      count: 0,
      next: null,
      previous: null,
    })
  })

  it.each([
    ['DELETE', CUSTOMERS, 'GET, HEAD, POST'],
    ['PUT', CUSTOMERS, 'GET, HEAD, POST'],
    ['PATCH', CUSTOMERS, 'GET, HEAD, POST'],
    ['OPTIONS', CUSTOMERS, 'GET, HEAD, POST'],
    ['PUT', INTENTS, 'GET, HEAD, POST'],
    ['GET', '/api/v1.1/payments/intent/', 'POST'],
    ['POST', SIGNATURE_KEY, 'GET, HEAD'],
    ['POST', `${INTENTS}int_1/`, 'GET, HEAD'],
    ['GET', '/direct/payments/intents/int_1/card_token/', 'POST'],
    ['POST', '/_sandbox/overview/', 'GET, HEAD'],
    ['GET', '/_sandbox/reset', 'POST'],
    ['POST', '/_sandbox/faults/', 'PUT'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['POST', '/_sandbox/stream', 'GET'],
    ['POST', '/', 'GET, HEAD'],
    ['DELETE', '/sdk.js', 'GET, HEAD'],
    ['PUT', '/vault/form/int_1/', 'GET, HEAD'],
    ['POST', '/vault/assets/form/form.js', 'GET, HEAD'],
  ])('%s %s: 405, and says that it takes %s', async (method, path, allow) => {
    const service = await Service.start()
    const { code, headers, text } = await service.call(method, path, {
      isUnlisted: true,
      // Whatever the body is, it is not wanted.
      ...(method !== 'GET' && { body: 'no JSON' }),
    })
    expect(code).toBe(405)
    expect(headers.get('allow')).toBe(allow)
    expect(JSON.parse(text)).toEqual({
      status: { code: 405, message: 'This method is not allowed here', errors: [] },
      data: null,
      count: 0,
      next: null,
      previous: null,
    })
  })

  it('HEAD is GET without a body, and never ends up in the stream', async () => {
    const service = await Service.start()
    const state = await fetch(`${service.sandbox.url}/_sandbox/overview/`, { method: 'HEAD' })
    expect(state.status).toBe(200)
    expect(await state.text()).toBe('')
    const stream = await fetch(`${service.sandbox.url}/_sandbox/stream`, { method: 'HEAD' })
    expect(stream.status).toBe(405)
  })

  it.each(['/api/v1.4/customers/%ZZ/', '/api/v1.4/customers/%E0%A4%A/'])('%s: 400', async (path) => {
    const service = await Service.start()
    const { code, status } = await service.call('GET', path, { isUnlisted: true })
    expect(code).toBe(400)
    expect(status.errors).toEqual([])
  })

  it.each([101, 2000, 12_000])('an id of %i characters is not found', async (length) => {
    const service = await Service.start()
    const id = 'x'.repeat(length)
    for (const path of [
      `/api/v1.4/payments/intent/${id}/`,
      `/api/v1.4/transactions/${id}/`,
      `/vault/form/${id}/state/`,
      `/_sandbox/deliveries/${id}/`,
    ]) {
      expect((await service.call('GET', path)).code).toBe(404)
    }
    expect((await service.call('GET', `${CUSTOMERS}${id}/cards/`)).code).toBe(400)
    const direct = `/direct/payments/intents/${id}/card_token/`
    expect((await service.post(direct, { card_token: 'x' })).code).toBe(404)
    expect((await fetch(`${service.sandbox.url}/vault/assets/form/${id}`)).status).toBe(404)
  })

  it('an id may look like anything', async () => {
    const service = await Service.start()
    for (const id of ['__proto__', 'constructor', '..%2f..', '%00', 'x'.repeat(90)]) {
      expect((await service.call('GET', `${INTENTS}${id}/`)).code).toBe(404)
      expect((await service.call('GET', `${CUSTOMERS}${id}/`)).code).toBe(400)
    }
  })
})

describe('What is not even a request', () => {
  it.each([
    ['not HTTP', 'HELLO\r\n\r\n', 400, 'The request is not valid'],
    ['an invalid header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400, 'The request is not valid'],
    [
      'headers that are too large',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'The headers are too large',
    ],
  ])('%s is answered in the envelope', async (_, text, code, message) => {
    const service = await Service.start()
    const heard = await say(service, text)
    const [head, body] = heard.split('\r\n\r\n') as [string, string]
    expect(head).toContain(`HTTP/1.1 ${code} `)
    expect(head).toContain(`Content-Length: ${body.length}`)
    expect(JSON.parse(body)).toEqual({
      status: { code, message, errors: [] },
      data: null,
      count: 0,
      next: null,
      previous: null,
    })
  })
})

describe('A connection that is gone', () => {
  it('is not written to', () => {
    const socket = new Socket()
    socket.destroy()
    answerClientError(new Error('read ECONNRESET'), socket)
    expect(socket.bytesWritten).toBe(0)
    expect(socket.writableEnded).toBe(false)
  })
})

describe('urlOf', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:80'],
    ['0.0.0.0', 'http://127.0.0.1:80'],
    ['::', 'http://[::1]:80'],
    ['::1', 'http://[::1]:80'],
    ['192.0.2.1', 'http://192.0.2.1:80'],
  ])('who listens on %s is reached at %s', (address, url) => {
    expect(urlOf({ address, port: 80 })).toBe(url)
  })
})

describe('What every answer has', () => {
  it('no cache keeps it, and no browser guesses what it is', async () => {
    const service = await Service.start()
    for (const path of [CUSTOMERS, '/nope', '/_sandbox/overview/', '/openapi.json']) {
      const { headers } = await fetch(service.sandbox.url + path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })
})

describe('What goes wrong inside', () => {
  it('is not in the log if the first attempt is aborted by the end of the sandbox', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(never)
    const lines: string[] = []
    const service = new InnerService(checkOptions({ logger: (line) => lines.push(line) }))
    const [account] = service.store.list(ACCOUNTS)
    const made = service.deliveries.add([{ type: 'intent.processed', body: '{}' }], {
      intentId: undefined,
      url: endpoint.url,
      scope: { accountId: account!.id, isLive: false },
      keyId: undefined,
      source: 'composed',
      isOwn: false,
      forgeries: [],
      isRetried: true,
    })
    const resent = service.deliveries.resend(made[0]!, [])
    await endpoint.until(1)
    service.end()
    await resent
    service.store.close()
    expect(lines).toEqual([])
  })

  it('is not in the log if a later attempt is aborted by the end of the sandbox', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), never)
    const lines: string[] = []
    const service = new InnerService(checkOptions({ logger: (line) => lines.push(line) }))
    const [account] = service.store.list(ACCOUNTS)
    const [delivery] = service.deliveries.add([{ type: 'intent.processed', body: '{}' }], {
      intentId: undefined,
      url: endpoint.url,
      scope: { accountId: account!.id, isLive: false },
      keyId: undefined,
      source: 'composed',
      isOwn: false,
      forgeries: [],
      isRetried: true,
    })
    await service.deliveries.resend(delivery!, [])
    const resent = service.deliveries.resend(delivery!, [])
    await endpoint.until(2)
    service.end()
    await resent
    service.store.close()
    expect(lines).toEqual([expect.stringContaining('pending: 500')])
  })

  it('is in the log if the outcome of an attempt cannot be stored', async () => {
    const lines: string[] = []
    const service = new InnerService(checkOptions({ logger: (line) => lines.push(line) }))
    const [account] = service.store.list(ACCOUNTS)
    const made = service.deliveries.add([{ type: 'intent.processed', body: '{}' }], {
      intentId: undefined,
      url: 'http://127.0.0.1:1/',
      scope: { accountId: account!.id, isLive: false },
      keyId: undefined,
      source: 'composed',
      isOwn: false,
      forgeries: [],
      isRetried: true,
    })
    vi.spyOn(service.store, 'update').mockImplementation(() => {
      throw new Error('ENOSPC')
    })
    service.deliveries.send(made)
    await vi.waitFor(
      () => {
        expect(lines).toContain('an attempt could not be stored: Error: ENOSPC')
      },
      { timeout: 30_000 },
    )
    service.end()
    service.store.close()
  })

  it('is 500 without a word about it, and the log has the words', async () => {
    const lines: string[] = []
    const service = new InnerService(checkOptions({ logger: (line) => lines.push(line) }))
    vi.spyOn(service.store, 'list').mockImplementation(() => {
      throw new Error('A screw is loose')
    })
    const app = await buildServer(service)
    const answer = await app.inject({
      method: 'GET',
      url: '/_sandbox/overview/',
      headers: { host: 'localhost' },
    })
    await app.close()
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({
      status: { code: 500, message: 'Something went wrong in the service', errors: [] },
      data: null,
      count: 0,
      next: null,
      previous: null,
    })
    expect(lines).toEqual(['GET /_sandbox/overview/ Error: A screw is loose', 'GET /_sandbox/overview/ 500'])
  })
})
