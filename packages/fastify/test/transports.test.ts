import { memoryReplayStore, type WebhookError } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/fastify'
import { fastify, type FastifyInstance } from 'fastify'
import { once } from 'node:events'
import {
  connect,
  constants,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { request as requestOf } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { now, plain, secret, timestamp } from '../../core/test/support/deliveries.js'
import { codesOf, forged, header } from './support.js'

// A pre-shared key in place of a certificate.
const psk = Buffer.from('for this test and no other')
const TLS = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const
const SERVER_TLS = { ...TLS, pskCallback: () => psk }
const CLIENT_TLS = {
  ...TLS,
  pskCallback: () => ({ psk, identity: 'sender' }),
  checkServerIdentity: () => undefined,
}
/** Fastify has a type for each of these servers; the plugin treats them alike. */
const SERVERS = {
  'HTTP/1.1 over TLS': () => fastify({ https: SERVER_TLS }) as unknown as FastifyInstance,
  'HTTP/2': () => fastify({ http2: true }) as unknown as FastifyInstance,
  'HTTP/2 over TLS': () => fastify({ http2: true, https: SERVER_TLS }) as unknown as FastifyInstance,
}

interface Running {
  readonly port: number
  readonly handler: ReturnType<typeof vi.fn<() => string | Promise<string>>>
  readonly rejected: WebhookError[]
  /** The streams of HTTP/2 that the server has not closed. */
  readonly open: ReadonlySet<ServerHttp2Stream>
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function start(
  server: keyof typeof SERVERS,
  options: Partial<ServiceSignatureOptions> = {},
): Promise<Running> {
  const app = SERVERS[server]()
  onTestFinished(() => app.close())
  const handler = vi.fn<() => string | Promise<string>>(() => 'handled')
  const rejected: WebhookError[] = []
  const onRejected = (error: WebhookError) => rejected.push(error)
  await app.register(serviceSignature, { secret, now, onRejected, ...options })
  app.post('/webhooks', { config: { serviceSignature: true } }, ({ webhook }) => {
    expect(webhook).toMatchObject({ timestamp, event: { payload: { a: 1, b: 'x' } } })
    return handler()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const open = new Set<ServerHttp2Stream>()
  app.server.on('stream', (stream: ServerHttp2Stream) => {
    open.add(stream)
    stream.once('close', () => open.delete(stream))
  })
  return { port: (app.server.address() as AddressInfo).port, handler, rejected, open }
}

/** A connection of HTTP/2, on which every call begins a delivery. */
function session(server: keyof typeof SERVERS, port: number): (signature: string) => ClientHttp2Stream {
  const scheme = server.endsWith('TLS') ? 'https' : 'http'
  const client = connect(`${scheme}://127.0.0.1:${port}`, CLIENT_TLS)
  onTestFinished(async () => {
    // Node 20 crashes if a client is destroyed while it processes the end of a stream that its server closes.
    await new Promise(setImmediate)
    client.destroy()
  })
  return (signature) =>
    client.request({
      ':method': 'POST',
      ':path': '/webhooks',
      'content-type': 'application/json',
      'service-signature': signature,
    })
}

/** Not by stream/consumers: they fail if the server closes the stream before its client has ended it. */
async function answerTo(stream: ClientHttp2Stream): Promise<readonly [status: number, body: string]> {
  let body = ''
  stream.setEncoding('utf8').on('data', (piece: string) => (body += piece))
  const ended = once(stream, 'end')
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }]
  await ended
  return [headers[':status'], body]
}

it('HTTP/1.1 over TLS carries deliveries', async () => {
  const { port, handler, rejected } = await start('HTTP/1.1 over TLS')
  const send = async (signature: string) => {
    const headers = { 'service-signature': signature }
    const request = requestOf({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/webhooks',
      headers,
      ...CLIENT_TLS,
    })
    request.end(plain)
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { statusCode: number }]
    return [response.statusCode, await text(response)]
  }
  expect((await send(forged))[0]).toBe(401)
  expect(handler).not.toHaveBeenCalled()
  expect(await send(header)).toEqual([200, 'handled'])
  expect(codesOf(rejected)).toEqual(['ERR_SIGNATURE_MISMATCH'])
})

for (const server of ['HTTP/2', 'HTTP/2 over TLS'] as const) {
  it(`${server} carries several deliveries on one connection, each of which is handled once`, async () => {
    const { port, handler, rejected } = await start(server, { replay: memoryReplayStore() })
    const begin = session(server, port)
    const refused = [begin('garbage').end(plain), begin(forged).end(plain)]
    const statuses = await Promise.all(refused.map(async (stream) => (await answerTo(stream))[0]))
    expect(statuses).toEqual([400, 401])
    expect(codesOf(rejected)).toEqual(['ERR_SIGNATURE_MALFORMED', 'ERR_SIGNATURE_MISMATCH'])
    expect(handler).not.toHaveBeenCalled()
    expect(await answerTo(begin(header).end(plain))).toEqual([200, 'handled'])
    expect(await answerTo(begin(header).end(plain))).toEqual([200, ''])
    expect(handler).toHaveBeenCalledOnce()
  })

  it(`${server} answers 409 after a stream is cancelled, until its handler is done`, async () => {
    const { port, handler } = await start(server, { replay: memoryReplayStore() })
    const begin = session(server, port)
    let finish!: (text: string) => void
    handler.mockReturnValueOnce(new Promise((resolve) => (finish = resolve)))
    const cancelled = begin(header).end(plain)
    await expect.poll(() => handler.mock.calls.length > 0).toBe(true)
    cancelled.close(constants.NGHTTP2_CANCEL)
    for (let retry = 0; retry < 3; retry++) expect((await answerTo(begin(header).end(plain)))[0]).toBe(409)
    finish('handled')
    await expect.poll(async () => (await answerTo(begin(header).end(plain)))[0] === 200).toBe(true)
    expect(handler).toHaveBeenCalledOnce()
  })

  it(`${server} keeps working after a delivery that was too large, stalled or broke off`, async () => {
    const { port, handler, rejected } = await start(server, { bodyLimit: 1000 })
    const begin = session(server, port)
    const large = begin(header)
    large.write('x'.repeat(1001))
    expect((await answerTo(large))[0]).toBe(413)
    const stalled = begin(header)
    stalled.write(plain.slice(0, 5))
    const refused = answerTo(stalled)
    await endTimeOf(1)
    expect((await refused)[0]).toBe(408)
    const broken = begin(header)
    broken.write(plain.slice(0, 5), () => {
      broken.close(constants.NGHTTP2_CANCEL)
    })
    await expect.poll(() => rejected).toHaveLength(3)
    // The last one is only refused: Node's client ends a stream before it resets it.
    expect(codesOf(rejected).slice(0, 2)).toEqual(['ERR_BODY_TOO_LARGE', 'ERR_BODY_TIMEOUT'])
    expect(handler).not.toHaveBeenCalled()
    expect(await answerTo(begin(header).end(plain))).toEqual([200, 'handled'])
  })

  it(`${server} closes each stream after its refusal, even if its body never ends`, async () => {
    const { port, handler, open } = await start(server, { bodyLimit: 1000 })
    const begin = session(server, port)
    const statusOf = async (signature: string, piece: string) => {
      const stream = begin(signature)
      stream.write(piece)
      return (await answerTo(stream))[0]
    }
    const stalled = Array.from({ length: 20 }, () => statusOf(header, plain.slice(0, 5)))
    expect(await statusOf(header, 'x'.repeat(1001))).toBe(413)
    expect(await statusOf('garbage', plain.slice(0, 5))).toBe(400)
    await endTimeOf(20)
    expect(await Promise.all(stalled)).toEqual(Array<number>(20).fill(408))
    await expect.poll(() => open.size).toBe(0)
    expect(await answerTo(begin(header).end(plain))).toEqual([200, 'handled'])
    expect(handler).toHaveBeenCalledOnce()
  })
}

/** Ends the time for this many bodies, when all of them are awaited. */
async function endTimeOf(count: number): Promise<void> {
  await expect.poll(() => vi.getTimerCount()).toBe(count)
  await vi.advanceTimersByTimeAsync(30_000)
}
