import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  type Http2ServerRequest,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryReplayStore, WebhookError } from '../../src/entries/index.js'
import { createNodeReceiver, type DeliveryReport } from '../../src/entries/node.js'
import { hmac, now, plain, secret, timestamp, v3Message } from '../support/deliveries.js'
import {
  type Endpoint,
  type EndpointSetup,
  head,
  sender,
  type Sender,
  startEndpoint,
} from '../support/endpoint.js'

const header = `t=${timestamp},v3=${hmac(secret, v3Message(plain))}`
const forged = `t=${timestamp},v3=${'0'.repeat(64)}`
const genuine = head({ 'Service-Signature': header, 'Content-Length': plain.length }) + plain

const running: (Endpoint | Sender)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const each of running.splice(0)) {
    if ('socket' in each) each.socket.destroy()
    else await each.close()
  }
})

async function start(setup: Partial<EndpointSetup> & Pick<EndpointSetup, never> = {}): Promise<Endpoint> {
  const endpoint = await startEndpoint({ ...setup, options: { secret, now, ...setup.options } })
  running.push(endpoint)
  return endpoint
}

async function connected(port: number): Promise<Sender> {
  const one = await sender(port)
  running.push(one)
  return one
}

/** The answer to a sender that sends only these bytes. */
async function answerTo(endpoint: Endpoint, ...pieces: (string | Uint8Array)[]): Promise<string> {
  const { socket, answers } = await connected(endpoint.port)
  for (const piece of pieces) socket.write(piece)
  return answers(1)
}

function codes(endpoint: Endpoint): unknown[] {
  return endpoint.errors.map((error) => {
    if (!WebhookError.is(error)) return error
    return WebhookError.is(error.cause) ? [error.code, error.cause.code] : error.code
  })
}

describe('a receiver of Node requests', () => {
  it('returns the delivery', async () => {
    const endpoint = await start()
    expect(await answerTo(endpoint, genuine)).toMatch(/^HTTP\/1\.1 200 /)
    expect(endpoint.accepted).toMatchObject([{ timestamp, event: { payload: { a: 1, b: 'x' } } }])
    expect(Buffer.from(endpoint.accepted[0]!.rawBody).toString()).toBe(plain)
  })

  it('turns every 401 into the same error, whose cause is the reason', async () => {
    const endpoint = await start()
    await answerTo(endpoint, head({ 'Content-Length': 0 }))
    await answerTo(endpoint, head({ 'Service-Signature': forged, 'Content-Length': 2 }), '{}')
    expect(codes(endpoint)).toEqual([
      ['ERR_DELIVERY_REFUSED', 'ERR_SIGNATURE_MISSING'],
      ['ERR_DELIVERY_REFUSED', 'ERR_SIGNATURE_MISMATCH'],
    ])
    expect(endpoint.errors.map(String)).toEqual(Array(2).fill(String(endpoint.errors[0])))
  })

  it('passes on errors that are not refusals', async () => {
    const bug = new TypeError('a bug')
    const endpoint = await start({
      options: {
        secret,
        now: () => {
          throw bug
        },
        onRejected: () => expect.fail('a bug is not a refusal'),
      },
    })
    expect(await answerTo(endpoint, genuine)).toMatch(/^HTTP\/1\.1 500 /)
    expect(endpoint.errors).toEqual([bug])
  })
})

describe('the raw body', () => {
  const otherBytes = Buffer.from('other')

  it('is the first value with bytes that a parser left', async () => {
    const endpoint = await start({
      holders: () => [
        { body: { a: 1 } },
        { rawBody: 'text', body: Buffer.from(plain) },
        { body: otherBytes },
      ],
    })
    await answerTo(endpoint, head({ 'Service-Signature': header, 'Content-Length': 0 }))
    expect(Buffer.from(endpoint.accepted[0]!.rawBody).toString()).toBe(plain)
  })

  it('is a copy, because a parser may use its memory again while the secret or the store is awaited', async () => {
    const left = Buffer.from(plain)
    const overwrite = () => left.fill('9')
    const replay = memoryReplayStore({ now })
    const endpoint = await start({
      options: {
        secret: async () => {
          await new Promise(setImmediate)
          overwrite()
          return secret
        },
        now,
        replay,
      },
      holders: () => [{ body: left }],
    })
    const answer = await answerTo(endpoint, head({ 'Service-Signature': header, 'Content-Length': 0 }))
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(endpoint.accepted[0]!.event.payload).toEqual(JSON.parse(plain))
    expect(Buffer.from(endpoint.accepted[0]!.rawBody).toString()).toBe(plain)
  })

  it('may be bytes of another realm, as in test runners', async () => {
    const foreign = runInNewContext(`Uint8Array.from(${JSON.stringify([...Buffer.from(plain)])})`) as unknown
    const endpoint = await start({ holders: () => [{ rawBody: foreign }] })
    await answerTo(endpoint, head({ 'Service-Signature': header, 'Content-Length': 0 }))
    expect(Buffer.from(endpoint.accepted[0]!.rawBody).toString()).toBe(plain)
  })

  it('is subject to the limit even if a parser has left it', async () => {
    const endpoint = await start({
      options: { secret, bodyLimit: 4 },
      holders: () => [{ rawBody: otherBytes }],
    })
    await answerTo(endpoint, head({ 'Service-Signature': header, 'Content-Length': 0 }))
    expect(codes(endpoint)).toEqual(['ERR_BODY_TOO_LARGE'])
  })

  it('fails at once if it was read before, and the error says how to fix that', async () => {
    const read = async (req: IncomingMessage) => {
      for await (const chunk of req) expect(chunk).not.toBe('')
    }
    const endpoint = await start({ before: read, holders: () => [{ body: { a: 1, b: 'x' } }] })
    expect(await answerTo(endpoint, genuine)).toMatch(/^HTTP\/1\.1 500 /)
    expect(codes(endpoint)).toEqual(['ERR_BODY_CONSUMED'])
    expect(String(endpoint.errors[0])).toContain(': in this host, follow the example. ')
  })

  it('is read even if something asynchronous came before', async () => {
    const endpoint = await start({ before: () => new Promise(setImmediate) })
    expect(await answerTo(endpoint, genuine)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('fails at once if the sender has hung up', async () => {
    const rejected = deferred()
    const endpoint = await start({
      before: (req) => new Promise((resolve) => req.once('close', resolve)),
      options: {
        secret,
        onRejected: (error) => {
          rejected.resolve(error.code)
        },
      },
    })
    const { socket } = await connected(endpoint.port)
    socket.write(head({ 'Service-Signature': header, 'Content-Length': 9 }) + 'half')
    await new Promise(setImmediate)
    socket.destroy()
    expect(await rejected.promise).toBe('ERR_BODY_INCOMPLETE')
  })
})

describe('a request that is refused before its body is read', () => {
  it('keeps the connection usable if its body is small, even if the body arrives later', async () => {
    const endpoint = await start()
    const { socket, answers } = await connected(endpoint.port)
    socket.write(head({ 'Content-Length': plain.length }))
    await new Promise(setImmediate)
    socket.write(plain)
    expect(await answers(1)).toMatch(/^HTTP\/1\.1 401 /)
    socket.write(genuine)
    expect(await answers(2)).toMatch(/HTTP\/1\.1 200 /)
  })

  it.each([{ isPatient: true }, { isPatient: false }])(
    'is answered even if its body never arrives, and the connection is closed: %o',
    async ({ isPatient }) => {
      const endpoint = await start({ isPatient })
      const { socket, heard, closed } = await connected(endpoint.port)
      socket.write(head({ 'Content-Length': plain.length }))
      await once(socket, 'end')
      socket.end()
      await closed
      expect(heard()).toMatch(/^HTTP\/1\.1 401 [^]*\r\nConnection: close\r\n/)
    },
  )

  it.each([
    { framing: 'a declared length', isPatient: true },
    { framing: 'a declared length', isPatient: false },
    { framing: 'chunks', isPatient: true },
    { framing: 'chunks', isPatient: false },
  ])(
    'lets a sender of $framing hear the answer who is still sending: $isPatient',
    async ({ framing, isPatient }) => {
      const size = 8 * 1024 * 1024
      const endpoint = await start({ isPatient, options: { secret, bodyLimit: 1000 } })
      const { socket, heard, closed } = await connected(endpoint.port)
      const failures: unknown[] = []
      socket.on('error', (error) => failures.push(error))
      if (framing === 'chunks') {
        socket.write(head({ 'Service-Signature': header, 'Transfer-Encoding': 'chunked' }))
        socket.write(`${size.toString(16)}\r\n`)
        socket.write(Buffer.alloc(size))
        socket.end('\r\n0\r\n\r\n')
      } else {
        socket.write(head({ 'Service-Signature': header, 'Content-Length': size }))
        socket.end(Buffer.alloc(size))
      }
      await closed
      expect(heard()).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n/)
      expect(failures).toEqual([])
      expect(socket.bytesWritten).toBeGreaterThan(size)
    },
  )

  it('is cut off if the sender never stops', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const endpoint = await start({ options: { secret, bodyLimit: 1000 } })
    const { socket, heard } = await connected(endpoint.port)
    socket.on('error', () => undefined)
    socket.write(head({ 'Service-Signature': header, 'Content-Length': 2000 }))
    await once(socket, 'end')
    expect(heard()).toMatch(/^HTTP\/1\.1 413 /)
    vi.advanceTimersByTime(2000)
    // The server answers anything that is sent now with a reset.
    while (!socket.destroyed) {
      socket.write('more')
      await new Promise(setImmediate)
    }
  })

  it('ends only its own stream over HTTP/2', async () => {
    const receiver = createNodeReceiver<Http2ServerRequest>({ secret, now }, 'fix')
    const server = createHttp2Server((req, res) => {
      const [nodeReq, nodeRes] = [req, res] as unknown as Parameters<typeof admitted>
      void admitted(nodeReq, nodeRes).then(
        ({ webhook }) => res.end(webhook.event.shape),
        (error: unknown) => {
          res.writeHead((error as WebhookError).status)
          res.end()
        },
      )
      async function admitted(...[message, response]: [IncomingMessage, import('node:http').ServerResponse]) {
        const reception = receiver.open({ request: req, req: message, res: response })
        try {
          const checked = reception.checkHeader()
          return await checked.verify(await checked.readBody())
        } catch (error) {
          throw await reception.refuse(error)
        }
      }
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const statusOf = async (signature: string) => {
      const stream = session.request({ ':method': 'POST', 'service-signature': signature })
      stream.end(plain)
      const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
      stream.resume()
      return headers[':status']
    }
    expect(await statusOf(forged)).toBe(401)
    expect(await statusOf('t=1')).toBe(401)
    expect(await statusOf(header)).toBe(200)
    session.close()
    server.close()
    await once(server, 'close')
  })
})

describe('a delivery that fails in the middle of its body', () => {
  it('is reported as incomplete when the sender hangs up', async () => {
    const rejected = deferred()
    const endpoint = await start({
      options: {
        secret,
        now,
        onRejected: (error) => {
          rejected.resolve(error)
        },
      },
    })
    const { socket } = await connected(endpoint.port)
    socket.write(head({ 'Service-Signature': header, 'Content-Length': 100 }) + 'half')
    await new Promise(setImmediate)
    socket.destroy()
    expect(await rejected.promise).toMatchObject({ code: 'ERR_BODY_INCOMPLETE', retryable: true })
    expect(endpoint.accepted).toEqual([])
  })

  it('is reported as incomplete when the sender is gone before the body is read', async () => {
    const gone = deferred()
    const receiver = createNodeReceiver<IncomingMessage>({ secret, now }, 'fix')
    const server = createServer((req, res) => {
      const reception = receiver.open({ request: req, req, res })
      const checked = reception.checkHeader()
      res.once('close', () => void checked.readBody().catch(gone.resolve))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { socket } = await connected((server.address() as AddressInfo).port)
    socket.write(head({ 'Service-Signature': header, 'Content-Length': 100 }) + 'half')
    await once(server, 'request')
    socket.destroy()
    expect(await gone.promise).toMatchObject({ code: 'ERR_BODY_INCOMPLETE' })
    server.close()
  })

  it('is reported as incomplete when the sender resets its HTTP/2 stream', async () => {
    const refused = deferred()
    const receiver = createNodeReceiver<Http2ServerRequest>({ secret, now }, 'fix')
    const server = createHttp2Server((req, res) => {
      const [message, response] = [req, res] as unknown as [IncomingMessage, ServerResponse]
      const reception = receiver.open({ request: req, req: message, res: response })
      void reception.checkHeader().readBody().catch(refused.resolve)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const stream = session.request({ ':method': 'POST', 'service-signature': header }, { endStream: false })
    stream.write(plain.slice(0, 5))
    await once(server, 'request')
    // Not close(), which ends the stream as if the body were complete.
    stream.once('error', () => undefined).destroy(new Error('given up'))
    expect(await refused.promise).toMatchObject({ code: 'ERR_BODY_INCOMPLETE', retryable: true })
    session.close()
    server.close()
  })

  it('is reported as too slow at the deadline, however much has arrived', async () => {
    const endpoint = await start({ options: { secret, now, bodyTimeoutSeconds: 0.02 } })
    const { socket, closed, heard } = await connected(endpoint.port)
    socket.write(head({ 'Service-Signature': header, 'Content-Length': plain.length }) + plain.slice(0, 5))
    await once(socket, 'end')
    socket.end()
    await closed
    expect(heard()).toMatch(/^HTTP\/1\.1 408 /)
    expect(String(endpoint.errors[0])).toContain('5 bytes in 0.02 s')
  })
})

describe('an encoded body', () => {
  it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'rubbish'])('is refused: %s', async (encoding) => {
    const endpoint = await start()
    const answer = await answerTo(
      endpoint,
      head({ 'Service-Signature': header, 'Content-Encoding': encoding, 'Content-Length': 2 }),
      '{}',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 415 /)
    expect(codes(endpoint)).toEqual(['ERR_BODY_ENCODED'])
  })

  it.each(['identity', 'Identity', ''])(
    'is accepted with an encoding that changes nothing: "%s"',
    async (encoding) => {
      const endpoint = await start()
      const extra = { 'Content-Encoding': encoding, 'Content-Length': plain.length }
      const answer = await answerTo(endpoint, head({ 'Service-Signature': header, ...extra }) + plain)
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    },
  )
})

describe('the answer of the next handler', () => {
  it.each([
    [200, 'handled', 1],
    [204, 'handled', 1],
    [299, 'handled', 1],
    [302, 'not handled', 2],
    [304, 'not handled', 2],
    [399, 'not handled', 2],
    [400, 'not handled', 2],
    [404, 'not handled', 2],
    [500, 'not handled', 2],
  ])('%i says that the delivery was %s', async (status, _what, times) => {
    const answer = vi.fn((_req: IncomingMessage, res: ServerResponse) => res.writeHead(status).end())
    const endpoint = await start({ options: { replay: memoryReplayStore() }, answer })
    expect(await answerTo(endpoint, genuine)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const again = await answerTo(endpoint, genuine)
    expect(again).toMatch(new RegExp(`^HTTP/1.1 ${times === 1 ? 200 : status} `))
    expect(answer).toHaveBeenCalledTimes(times)
  })

  it('counts when the sender is gone before the delivery is claimed', async () => {
    const store = memoryReplayStore()
    const committed = deferred()
    const commit = (key: string, token: string) => {
      store.commit(key, token)
      committed.resolve(undefined)
    }
    const hungUp = deferred()
    const endpoint = await start({
      before: vi.fn().mockImplementationOnce((req: IncomingMessage) => {
        req.once('end', () => req.socket.once('close', hungUp.resolve).destroy())
      }),
      options: {
        replay: { ...store, claim: (key) => hungUp.promise.then(() => store.claim(key)), commit },
      },
    })
    const { socket } = await connected(endpoint.port)
    socket.on('error', () => undefined).write(genuine)
    await committed.promise
    expect(await answerTo(endpoint, genuine)).toMatch(/^HTTP\/1\.1 200 /)
    expect(endpoint.accepted).toHaveLength(2)
  })

  it('counts once, however often the response is ended', async () => {
    const store = memoryReplayStore()
    const release = vi.spyOn(store, 'release')
    const answer = (_req: IncomingMessage, res: ServerResponse) => {
      res.writeHead(500).end('failed')
      res.end()
    }
    const endpoint = await start({ options: { replay: store }, answer })
    expect(await answerTo(endpoint, genuine)).toMatch(/^HTTP\/1\.1 500 /)
    expect(release).toHaveBeenCalledOnce()
  })
})

describe('hooks', () => {
  it('are called once for every delivery, with the request of the host', async () => {
    const seen: unknown[] = []
    const endpoint = await start({
      options: {
        secret,
        now,
        onVerified: ({ event }, { request }) => seen.push([event.shape, request.url]),
        onRejected: ({ code }, { request }) => seen.push([code, request.url]),
      },
    })
    await answerTo(endpoint, genuine)
    await answerTo(endpoint, head({ 'Service-Signature': forged, 'Content-Length': 0 }))
    await answerTo(endpoint, head({ 'Content-Length': 0 }))
    expect(seen).toEqual([
      ['unrecognized', '/webhooks'],
      ['ERR_SIGNATURE_MISMATCH', '/webhooks'],
      ['ERR_SIGNATURE_MISSING', '/webhooks'],
    ])
  })

  it('do not change the answer when they fail, and each failure is warned about once', async () => {
    const warnings: unknown[] = []
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation((...args) => {
      warnings.push(args)
    })
    const endpoint = await start({
      options: {
        secret,
        now,
        onVerified: () => Promise.reject(new Error('metrics down')),
        onRejected: () => {
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- anything can be thrown
          throw 'a string'
        },
      },
    })
    for (let round = 0; round < 2; round++) {
      expect(await answerTo(endpoint, genuine)).toMatch(/^HTTP\/1\.1 200 /)
      expect(await answerTo(endpoint, head({ 'Content-Length': 0 }))).toMatch(/^HTTP\/1\.1 401 /)
    }
    emitWarning.mockRestore()
    expect(warnings).toEqual([
      [
        'onVerified threw; the response is not affected',
        {
          type: 'ServiceSignatureWarning',
          detail: expect.stringContaining('Error: metrics down') as unknown,
        },
      ],
      [
        'onRejected threw; the response is not affected',
        { type: 'ServiceSignatureWarning', detail: 'a value was thrown that is not an Error' },
      ],
    ])
  })

  it('may throw anything', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const rejecting = {
      then(_: unknown, reject: (reason: unknown) => void) {
        reject('a string')
      },
    }
    const options = { secret, onRejected: () => rejecting }
    await answerTo(await start({ options }), head({ 'Content-Length': 0 }))
    const calls = emitWarning.mock.calls.map(([, details]) => details)
    emitWarning.mockRestore()
    expect(calls).toEqual([
      { type: 'ServiceSignatureWarning', detail: 'a value was thrown that is not an Error' },
    ])
  })
})

describe('the diagnostics channel', () => {
  it('reports every outcome, and nothing sensitive', async () => {
    const reports: DeliveryReport[] = []
    const listen = (report: unknown) => reports.push(report as DeliveryReport)
    const endpoint = await start({ options: { secret, now: () => (timestamp + 7) * 1000 } })
    await answerTo(endpoint, genuine)
    subscribe('service-signature:delivery', listen)
    await answerTo(endpoint, genuine)
    await answerTo(endpoint, head({ 'Service-Signature': forged, 'Content-Length': 2 }), '{}')
    await answerTo(endpoint, head({ 'Content-Length': 0 }))
    unsubscribe('service-signature:delivery', listen)

    const durationMs = expect.any(Number) as unknown
    expect(reports).toEqual([
      {
        outcome: 'handled',
        status: 200,
        versions: ['v3'],
        keyFingerprint: `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`,
        ageSeconds: 7,
        bodyBytes: plain.length,
        durationMs,
      },
      {
        outcome: 'refused',
        status: 401,
        code: 'ERR_SIGNATURE_MISMATCH',
        ageSeconds: 7,
        bodyBytes: 2,
        durationMs,
      },
      { outcome: 'refused', status: 401, code: 'ERR_SIGNATURE_MISSING', durationMs },
    ])
  })

  it('reports that the dispatcher failed, also to a sender who has left and gets no answer', async () => {
    const reports: DeliveryReport[] = []
    const listen = (report: unknown) => reports.push(report as DeliveryReport)
    subscribe('service-signature:delivery', listen)
    let fail!: (error: Error) => void
    const dispatch = vi.fn(() => new Promise((_, reject) => (fail = reject)))
    let closed: Promise<unknown> | undefined
    const endpoint = await start({
      options: { dispatcher: { dispatch } },
      before: (req) => {
        closed = once(req.socket, 'close')
      },
    })
    const { socket } = await connected(endpoint.port)
    socket.on('error', () => undefined).write(genuine)
    await expect.poll(() => dispatch.mock.calls).toHaveLength(1)
    socket.destroy()
    await closed
    fail(new Error('the booking failed'))
    await expect.poll(() => reports).toHaveLength(1)
    unsubscribe('service-signature:delivery', listen)
    expect(reports).toMatchObject([{ outcome: 'failed', status: 500 }])
  })

  it('reports a delivery as abandoned if the sender had left before its handler began', async () => {
    const reports: DeliveryReport[] = []
    const listen = (report: unknown) => reports.push(report as DeliveryReport)
    subscribe('service-signature:delivery', listen)
    const endpoint = await start({
      options: { replay: memoryReplayStore({ leaseSeconds: 0.02 }) },
      // A parser has read the body before the connection ended.
      holders: () => [{ body: Buffer.from(plain) }],
      before: async (req) => {
        socket.destroy()
        await once(req.socket, 'close')
        await new Promise(setImmediate)
      },
      answer: () => undefined,
    })
    const { socket } = await connected(endpoint.port)
    socket.on('error', () => undefined).write(head({ 'Service-Signature': header, 'Content-Length': 0 }))
    await expect.poll(() => reports).toHaveLength(1)
    unsubscribe('service-signature:delivery', listen)
    expect(reports).toMatchObject([{ outcome: 'abandoned' }])
  })

  it('reports a delivery as abandoned if its handler has not answered within the lease after the sender left', async () => {
    const reports: DeliveryReport[] = []
    const listen = (report: unknown) => reports.push(report as DeliveryReport)
    subscribe('service-signature:delivery', listen)
    const answers: (() => void)[] = []
    const endpoint = await start({
      options: { replay: memoryReplayStore({ leaseSeconds: 0.02 }) },
      answer: (_req, res) => answers.push(() => res.end('late')),
    })
    const { socket } = await connected(endpoint.port)
    socket.on('error', () => undefined).write(genuine)
    await expect.poll(() => answers).toHaveLength(1)
    socket.destroy()
    await expect.poll(() => reports).toHaveLength(1)
    expect(reports[0]).toMatchObject({ outcome: 'abandoned', bodyBytes: plain.length })
    expect(reports[0]).not.toHaveProperty('status')
    // A request is reported once.
    answers[0]!()
    expect(await answerTo(endpoint, genuine)).toMatch(/^HTTP\/1\.1 200 /)
    unsubscribe('service-signature:delivery', listen)
    expect(reports.map(({ outcome }) => outcome)).toEqual(['abandoned', 'duplicate'])
  })
})

function deferred(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => undefined
  const promise = new Promise((settle) => (resolve = settle))
  return { promise, resolve }
}
