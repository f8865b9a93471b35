import { serviceSignature } from '@service-signature/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { delivery, event, observed, sign, transaction } from './support/deliveries.js'
import { stall, watchedStream } from './support/streams.js'

const { length } = transaction
/** Longer than the memory that is allocated first for a body of unknown length. */
const long = Buffer.from(JSON.stringify({ type: 'payout.sent', note: 'x'.repeat(40_000) }))

function* cut(body: Uint8Array, size: number): Iterable<Uint8Array> {
  for (let start = 0; start < body.length; start += size)
    yield Uint8Array.from(body.subarray(start, start + size))
}

function endpoint(changes: { readonly bodyLimit?: number; readonly bodyTimeoutSeconds?: number } = {}) {
  const { options, errors, codes } = observed()
  const handler = vi.fn<(webhook: { readonly rawBody: Uint8Array }) => undefined>()
  const handle = serviceSignature({ ...options, ...changes }, handler)
  return {
    async accepts(request: Request) {
      const { status } = await handle(request)
      expect({ status, codes }).toEqual({ status: 204, codes: [] })
      expect(handler).toHaveBeenCalledOnce()
      return handler.mock.lastCall![0].rawBody
    },
    async refuses(request: Request, code: string) {
      const { status } = await handle(request)
      expect(handler).not.toHaveBeenCalled()
      expect(codes).toEqual([code])
      expect(status).toBe(code === 'ERR_SIGNATURE_MISMATCH' ? 401 : errors[0]!.status)
      return errors[0]!
    },
    async fails(request: Request, error: RegExp) {
      await expect(handle(request)).rejects.toThrow(error)
      expect(handler).not.toHaveBeenCalled()
      expect(errors).toEqual([])
    },
  }
}

/** Runtimes whose servers read no more of a body than its declared length. */
const ENFORCING = ['Bun/1.4.5', 'Deno/2.9.6', 'Cloudflare-Workers']

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a body', () => {
  it.each([
    { what: 'in one piece', body: transaction, size: Infinity },
    { what: 'byte for byte', body: transaction, size: 1 },
    { what: 'longer than expected, in one piece', body: long, size: Infinity },
    { what: 'longer than expected, in pieces', body: long, size: 7000 },
    { what: 'longer than expected, byte for byte', body: long, size: 1 },
  ])('may arrive $what, with or without a declared length', async ({ body, size }) => {
    for (const headers of [{}, { 'Content-Length': String(body.length) }]) {
      const { stream, cancelled } = watchedStream(cut(body, size))
      const rawBody = await endpoint().accepts(delivery({ body, stream, headers }))
      expect(Buffer.from(rawBody)).toEqual(body)
      expect(cancelled).not.toHaveBeenCalled()
    }
  })

  it('may have empty pieces', async () => {
    const { stream } = watchedStream([new Uint8Array(), Uint8Array.from(transaction), new Uint8Array()])
    await endpoint().accepts(delivery({ stream }))
  })

  it('of an unknown length may arrive in memory that its host reuses', async () => {
    const pool = new Uint8Array(64)
    function* pooled() {
      for (const piece of cut(transaction, pool.length)) {
        pool.fill(0)
        pool.set(piece)
        yield pool.subarray(0, piece.length)
      }
    }
    const { stream } = watchedStream(pooled())
    const rawBody = await endpoint().accepts(delivery({ stream }))
    pool.fill(0)
    expect(Buffer.from(rawBody)).toEqual(transaction)
  })

  it('in one piece is copied from the chunk of the host', async () => {
    const piece = Uint8Array.from(transaction)
    const { stream } = watchedStream([piece])
    const rawBody = await endpoint().accepts(
      delivery({ stream, headers: { 'Content-Length': String(length) } }),
    )
    piece.fill(0)
    expect(Buffer.from(rawBody)).toEqual(transaction)
  })

  it.each(ENFORCING)(
    'of a declared length is not read as a stream, which costs more on %s',
    async (userAgent) => {
      vi.stubGlobal('navigator', { userAgent })
      const request = delivery({ headers: { 'Content-Length': String(length) } })
      const body = vi.spyOn(request, 'body', 'get')
      await endpoint().accepts(request)
      expect(body).not.toHaveBeenCalled()
    },
  )

  it('in pieces takes at most twice its length in memory', async () => {
    const { stream } = watchedStream(cut(long, 7000))
    const { buffer } = await endpoint().accepts(delivery({ body: long, stream }))
    expect(buffer.byteLength).toBeLessThanOrEqual(2 * long.length)
  })

  it('that is null is empty, and its signature is checked', async () => {
    const empty = { body: '', stream: null }
    await endpoint().refuses(delivery(empty), 'ERR_BODY_NOT_JSON')
    await endpoint().refuses(delivery({ ...empty, signature: sign('{}') }), 'ERR_SIGNATURE_MISMATCH')
  })

  it('with chunks that are not bytes is an error of the host', async () => {
    for (const chunk of [String(transaction), new Uint16Array([0x7b7d]), [0x7b, 0x7d], undefined]) {
      const { stream, cancelled } = watchedStream([chunk])
      await endpoint().fails(delivery({ stream }), /not a Uint8Array/)
      expect(cancelled).toHaveBeenCalledOnce()
    }
  })
})

describe('the limit', () => {
  it.each([{}, { 'Content-Length': String(length) }])('itself is an accepted size, %o', async (headers) => {
    const { stream } = watchedStream(cut(transaction, 100))
    await endpoint({ bodyLimit: length }).accepts(delivery({ stream, headers }))
  })

  it('applies to the declared length, and nothing is read', async () => {
    const { stream, read, cancelled } = watchedStream(cut(transaction, 100))
    const request = delivery({ stream, headers: { 'Content-Length': String(length) } })
    const { message } = await endpoint({ bodyLimit: length - 1 }).refuses(request, 'ERR_BODY_TOO_LARGE')
    expect(message).toContain(`more than ${length - 1} bytes`)
    expect(request.bodyUsed).toBe(false)
    expect(read).not.toHaveBeenCalled()
    expect(cancelled).not.toHaveBeenCalled()
  })

  it.each([{}, { 'Content-Length': '5' }, { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }])(
    'stops the reading of a body that continues, whatever was declared, %o',
    async (headers) => {
      const { stream, read, cancelled } = watchedStream(cut(new Uint8Array(10_000), 100))
      await endpoint({ bodyLimit: 250 }).refuses(delivery({ stream, headers }), 'ERR_BODY_TOO_LARGE')
      expect(read).toHaveBeenCalledTimes(3)
      expect(cancelled).toHaveBeenCalledOnce()
    },
  )

  it.each(ENFORCING)(
    'applies to a body that %s has read although it is longer than declared',
    async (userAgent) => {
      vi.stubGlobal('navigator', { userAgent })
      const request = delivery({ headers: { 'Content-Length': '10' } })
      await endpoint({ bodyLimit: length - 1 }).refuses(request, 'ERR_BODY_TOO_LARGE')
    },
  )

  it('applies where there is no global Request, as in a test in jsdom', async () => {
    const { stream, read } = watchedStream(cut(new Uint8Array(10_000), 100))
    const request = delivery({ stream, headers: { 'Content-Length': '5' } })
    vi.stubGlobal('Request', undefined)
    await endpoint({ bodyLimit: 250 }).refuses(request, 'ERR_BODY_TOO_LARGE')
    expect(read).toHaveBeenCalledTimes(3)
  })

  it.each(['', 'abc', '12,12', '-1', '1e9', '0x10', '10', '0'])(
    'is not affected by the declared length %j',
    async (text) => {
      await endpoint().accepts(delivery({ headers: { 'Content-Length': text } }))
    },
  )
})

describe('an incomplete body', () => {
  it('is refused if it is shorter than declared', async () => {
    const headers = { 'Content-Length': String(length + 1) }
    const { message } = await endpoint().refuses(delivery({ headers }), 'ERR_BODY_INCOMPLETE')
    expect(message).toContain(`${length} bytes arrived`)
    expect(message).not.toContain('undefined')
    await endpoint().refuses(
      delivery({ body: '', stream: null, headers: { 'Content-Length': '1' } }),
      'ERR_BODY_INCOMPLETE',
    )
  })

  it.each([
    { userAgent: undefined, arrived: `${length} bytes` },
    { userAgent: 'Deno/2.9.6', arrived: `less than ${length} bytes` },
  ])('is refused if it breaks off, on $userAgent', async ({ userAgent, arrived }) => {
    vi.stubGlobal('navigator', { userAgent })
    const headers = { 'Content-Length': String(length) }
    const failure = new Error('the connection was reset')
    const { stream } = watchedStream(cut(transaction, 100), (controller) => {
      controller.error(failure)
    })
    const error = await endpoint().refuses(delivery({ stream, headers }), 'ERR_BODY_INCOMPLETE')
    expect(error.message).toContain(`${arrived} arrived`)
    expect(error.cause).toBe(failure)
  })
})

describe('the deadline', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    { when: 'before its first byte', pieces: [] },
    { when: 'in its middle', pieces: [transaction.subarray(0, 100)] },
    { when: 'before its end', pieces: [transaction] },
  ])('applies to a body that stalls $when', async ({ pieces }) => {
    const { stream, cancelled } = watchedStream(pieces, stall)
    const refused = endpoint().refuses(delivery({ stream }), 'ERR_BODY_TIMEOUT')
    await vi.advanceTimersByTimeAsync(29_999)
    expect(cancelled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    const { message } = await refused
    expect(message).toContain(`${Buffer.concat(pieces).length} bytes in 30 s`)
    expect(cancelled).toHaveBeenCalledOnce()
  })

  it('applies to a body that the host reads and that stalls, also if it breaks off later', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Deno/2.9.6' })
    let breakOff: (reason: Error) => void = () => undefined
    const { stream } = watchedStream([transaction.subarray(0, 100)], (controller) => {
      breakOff = (reason) => {
        controller.error(reason)
      }
      return stall()
    })
    const headers = { 'Content-Length': String(length) }
    const refused = endpoint().refuses(delivery({ stream, headers }), 'ERR_BODY_TIMEOUT')
    await vi.advanceTimersByTimeAsync(30_000)
    expect((await refused).message).toContain(`less than ${length} bytes in 30 s`)
    breakOff(new Error('the connection was reset'))
    await vi.advanceTimersByTimeAsync(0)
  })

  it('is for the whole body, and not extended by bytes that trickle in', async () => {
    const { stream } = watchedStream(trickle())
    function* trickle() {
      for (;;) yield Uint8Array.of(0x20)
    }
    const slow = stream.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          await new Promise((resolve) => setTimeout(resolve, 900))
          controller.enqueue(chunk)
        },
      }),
    )
    const refused = endpoint({ bodyTimeoutSeconds: 2 }).refuses(
      delivery({ stream: slow }),
      'ERR_BODY_TIMEOUT',
    )
    await vi.advanceTimersByTimeAsync(2000)
    expect((await refused).message).toContain('2 bytes in 2 s')
  })

  it.each([
    ['hangs', stall],
    ['fails', () => Promise.reject(new Error('cannot be cancelled'))],
    [
      'throws',
      () => {
        throw new Error('cannot be cancelled')
      },
    ],
  ])('does not wait for a stream whose cancel %s', async (_how, cancel) => {
    const { stream, cancelled } = watchedStream([], stall)
    cancelled.mockImplementation(cancel)
    const refused = endpoint().refuses(delivery({ stream }), 'ERR_BODY_TIMEOUT')
    await vi.advanceTimersByTimeAsync(30_000)
    await refused
  })

  it('clears its timer', async () => {
    await endpoint().accepts(delivery())
    await endpoint().refuses(delivery({ headers: { 'Content-Length': '9999' } }), 'ERR_BODY_INCOMPLETE')
    await endpoint().accepts(delivery({ headers: { 'Content-Length': String(length) } }))
    await endpoint({ bodyLimit: 5 }).refuses(delivery(), 'ERR_BODY_TOO_LARGE')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is answered with 408 and "Connection: close"', async () => {
    const handle = serviceSignature({ ...observed().options, bodyTimeoutSeconds: 5 }, () => {
      throw new Error('not to be called')
    })
    const answer = handle(delivery({ stream: watchedStream([], stall).stream }))
    await vi.advanceTimersByTimeAsync(5000)
    const { status, headers } = await answer
    expect({ status, connection: headers.get('connection') }).toEqual({ status: 408, connection: 'close' })
  })
})

describe('a body that was read before', () => {
  it.each<[how: string, read: (request: Request) => unknown]>([
    ['as JSON', (request) => request.json()],
    ['as text', (request) => request.text()],
    ['in part', (request) => request.body!.getReader().read()],
    [
      'in part, with the lock released',
      async (request) => {
        const reader = request.body!.getReader()
        await reader.read()
        reader.releaseLock()
      },
    ],
    ['with a reader that has not begun', (request) => request.body!.getReader()],
  ])('%s is refused at once, and the error says how to fix it', async (_how, read) => {
    for (const userAgent of [undefined, 'Deno/2.9.6']) {
      vi.stubGlobal('navigator', { userAgent })
      const request = delivery({ headers: { 'Content-Length': String(length) } })
      await read(request)
      const { message } = await endpoint().refuses(request, 'ERR_BODY_CONSUMED')
      for (const words of ['Hono', 'c.req.raw', 'Next', 'request.json()', 'webhook.rawBody']) {
        expect(message).toContain(words)
      }
    }
  })

  it('from a clone of the request is accepted', async () => {
    const request = delivery()
    expect(await request.clone().json()).toEqual(event)
    await endpoint().accepts(request)
  })
})
