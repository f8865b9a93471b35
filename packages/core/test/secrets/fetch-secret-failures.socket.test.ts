import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FetchFunction } from '../../src/secrets/fetched/options.js'
import { sleep } from '../../src/time-limit.js'
import {
  hang,
  json,
  SECRET,
  secretAnswer,
  startPaymentService,
  status,
  text,
  type Answer,
} from './support/payment-service.js'
import { API_KEY, createTestSource, expectNoKeys, refusalOf } from './support/source.js'

const secretData = { data: { webhook_signature_secret: SECRET } }

const cutOff: Answer = (response) => {
  response.writeHead(200, { 'Content-Length': 1000 })
  response.write(JSON.stringify(secretData), () => {
    response.destroy()
  })
}

const invalidUtf8 = Buffer.from([0x22, 0xff, 0xfe, 0x22])
const envelope = { status: { code: 200, message: '', errors: [] } }

describe('an answer that is not the secret is told apart, kept nowhere and asked for no more for a while', () => {
  const transient = 3
  const final = 1

  it.each<[fault: string, answer: Answer, calls: number, message: RegExp]>([
    ['half a body', cutOff, transient, /broke off: terminated: other side closed\. /],
    ['HTTP 500', status(500), transient, /answered HTTP 500\. The fault is on its side/],
    ['HTTP 503', status(503), transient, /answered HTTP 503\. The fault is on its side/],
    ['HTTP 408', status(408), transient, /answered HTTP 408\. It waited too long for the request/],
    ['HTTP 429', status(429), transient, /answered HTTP 429\. It is called too often/],
    ['HTTP 400', status(400), final, /answered HTTP 400\. It did not understand the request/],
    ['HTTP 401', status(401), final, /answered HTTP 401\. The API key is wrong or revoked/],
    ['HTTP 403', status(403), final, /answered HTTP 403\. The API key may not read the secret/],
    ['HTTP 404', status(404), final, /answered HTTP 404\. There is nothing at this address: "baseUrl"/],
    ['HTTP 418', status(418), final, /answered HTTP 418\. Check that "baseUrl"/],
    ['HTTP 201', status(201), final, /answered HTTP 201\. Check that "baseUrl"/],
    ['HTTP 204', (response) => response.writeHead(204).end(), final, /answered HTTP 204\. Check/],
    ['an empty 200', text(''), final, /the answer is empty/],
    ['HTML', text(` <!doctype html><p>${SECRET}`, 'text/html'), final, /the answer is an HTML page/],
    ['no JSON', text(SECRET), final, /the answer is not JSON/],
    ['JSON that is not UTF-8', text(invalidUtf8), final, /the answer is not JSON/],
    ['JSON null', json(null), final, /another shape: it has no status\.code/],
    ['JSON that is a string', json(SECRET), final, /another shape: it has no status\.code/],
    ['a bare secret', json({ webhook_signature_secret: SECRET }), final, /it has no status\.code/],
    ['a code that is a string', json({ status: { code: '200' } }), final, /it has no status\.code/],
    [
      'code 201 in an HTTP 200',
      json({ ...secretData, status: { code: 201 } }),
      final,
      /in an HTTP 200\. Check/,
    ],
    [
      'code 400 in an HTTP 200',
      json({ status: { code: 400 } }),
      final,
      /status\.code 400 in an HTTP 200\. It/,
    ],
    [
      'code 401 in an HTTP 200',
      json({ status: { code: 401 } }),
      final,
      /in an HTTP 200\. The API key is wrong/,
    ],
    [
      'code 500 in an HTTP 200',
      json({ status: { code: 500 } }),
      transient,
      /in an HTTP 200\. The fault is on/,
    ],
    ['no data', json(envelope), final, /data\.webhook_signature_secret is not there, or can be no key/],
    ['a list as data', json({ ...envelope, data: [SECRET] }), final, /webhook_signature_secret is not there/],
    ['a secret that is null', secretAnswer(null), final, /webhook_signature_secret is not there/],
    ['a secret that is empty', secretAnswer(''), final, /webhook_signature_secret is not there/],
    ['a secret of one character', secretAnswer('x'), final, /webhook_signature_secret is not there/],
    [
      'a secret with a line break',
      secretAnswer(`${SECRET}\n`),
      final,
      /webhook_signature_secret is not there/,
    ],
    ['a list of secrets', secretAnswer([SECRET, SECRET]), final, /webhook_signature_secret is not there/],
    ['64 KiB and a byte', text(' '.repeat(65_537)), final, /the answer is longer than 64 KiB/],
  ])('%s', async (_, answer, calls, message) => {
    const service = await startPaymentService(answer)
    const { source, pauses } = createTestSource({ baseUrl: service.baseUrl })

    const error = await refusalOf(source.get())
    expect(error.message).toMatch(message)
    expect(error).toMatchObject({ retryAfterSeconds: 10 })
    expect(error.cause).toBeUndefined()
    expect(service.requests).toHaveLength(calls)
    expect(pauses).toHaveLength(calls - 1)
    expect(source.cachedAt).toBeUndefined()
    expect(source.lastError).toBe(error)
    expectNoKeys(source)

    const again = await refusalOf(source.get())
    expect(again.cause).toBe(error)
    expect(again.message).toContain(`the next is not made before 10 s have passed. ${error.message}`)
    expect(service.requests).toHaveLength(calls)
  })

  it('the largest answer that is read is one of 64 KiB', async () => {
    const answer = JSON.stringify({ ...envelope, ...secretData })
    const service = await startPaymentService(text(answer.padEnd(65_536)))
    await expect(createTestSource({ baseUrl: service.baseUrl }).source.get()).resolves.toBe(SECRET)
  })

  it('a byte order mark before the JSON does no harm', async () => {
    const answer = JSON.stringify({ ...envelope, ...secretData })
    const service = await startPaymentService(text(`\ufeff${answer}`))
    await expect(createTestSource({ baseUrl: service.baseUrl }).source.get()).resolves.toBe(SECRET)
  })

  it('10 MB are not read: the connection is closed long before they are sent', async () => {
    const all = 10 * 1024 * 1024
    const service = await startPaymentService((response) => {
      const chunk = Buffer.alloc(16 * 1024, ' ')
      let left = all
      const send = (): void => {
        while (left > 0) {
          left -= chunk.length
          if (!response.write(chunk)) {
            response.once('drain', send)
            return
          }
        }
        response.end()
      }
      send()
    })
    const { source } = createTestSource({ baseUrl: service.baseUrl })
    expect((await refusalOf(source.get())).message).toContain('the answer is longer than 64 KiB')
    const { wholeAnswer, bytes } = await service.requests[0]!.closed
    expect(wholeAnswer).toBe(false)
    expect(bytes).toBeLessThan(all)
    expect(service.requests).toHaveLength(1)
  })

  it.each([300, 301, 302, 303, 307, 308])(
    'a redirect (%d) is not followed: its target is not asked',
    async (code) => {
      const target = await startPaymentService(secretAnswer())
      const service = await startPaymentService(status(code, { Location: target.baseUrl }))
      const { source } = createTestSource({ baseUrl: service.baseUrl })
      expect((await refusalOf(source.get())).message).toContain('with a redirect, which is not followed')
      expect(service.requests).toHaveLength(1)
      expect(target.requests).toHaveLength(0)
    },
  )

  it('a redirect that the runtime hides is not followed either', async () => {
    const fetch = vi.fn(() =>
      Promise.resolve({ status: 0, type: 'opaqueredirect', headers: new Headers(), body: null }),
    )
    const { source } = createTestSource({ fetch })
    expect((await refusalOf(source.get())).message).toContain('with a redirect, which is not followed')
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      'https://api.example.com/api/v1/organizations/get-webhook-signature-key/',
      expect.objectContaining({ redirect: 'manual' }),
    )
  })

  it('a connection that is refused', async () => {
    const service = await startPaymentService(secretAnswer())
    await service.stop()
    const { source, pauses } = createTestSource({ baseUrl: service.baseUrl })
    const { message } = await refusalOf(source.get())
    expect(message).toMatch(/could not be reached: fetch failed: .*ECONNREFUSED.*\. Check "baseUrl"/)
    expect(pauses).toHaveLength(2)
    expect(service.requests).toHaveLength(0)
  })

  it('an answer that is no HTTP, whose error in Node has the bytes of the answer', async () => {
    const server = await startRawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${SECRET}\r\n${SECRET}`)
    })
    const { source } = createTestSource({ baseUrl: server })
    expect((await refusalOf(source.get())).message).toMatch(/broke off|could not be reached/)
  })

  it('an answer without a body', async () => {
    const fetch = vi.fn(() => Promise.resolve(new Response(null)))
    const { source } = createTestSource({ fetch })
    expect((await refusalOf(source.get())).message).toContain('the answer is empty')
  })
})

describe('a service that is slow', () => {
  it.each<[slowness: string, answer: Answer]>([
    ['never answers', hang],
    [
      'sends headers, and then nothing',
      (response) => {
        response.writeHead(200, { 'Content-Length': 100 }).flushHeaders()
      },
    ],
    [
      'sends a little all the time, and never the end',
      (response) => {
        const trickle = setInterval(() => response.write(' '), 1)
        response.on('close', () => {
          clearInterval(trickle)
        })
      },
    ],
  ])('and %s is waited for no longer than the time-outs add up to', async (_, answer) => {
    const service = await startPaymentService(answer)
    const { source, pauses } = createTestSource({ baseUrl: service.baseUrl, retries: 3 })
    stopTimers()
    const errors = Promise.all(Array.from({ length: 100 }, () => refusalOf(source.get())))
    for (let attempt = 1; attempt <= 4; attempt++) {
      const request = await service.nextRequest()
      vi.advanceTimersByTime(4999)
      expect(service.requests).toHaveLength(attempt)
      vi.advanceTimersByTime(1)
      // The connection is given up with the attempt.
      expect(await request.closed).toMatchObject({ wholeAnswer: false })
    }
    for (const { message } of await errors) {
      expect(message).toMatch(/did not answer within 5 s\. .*"timeoutSeconds"/)
    }
    expect(pauses).toHaveLength(3)
    expect(service.requests).toHaveLength(4)
    expect(source.cachedAt).toBeUndefined()
    expectNoKeys(source)
  })

  it('is waited for as long as timeoutSeconds says', async () => {
    const service = await startPaymentService(hang, secretAnswer())
    const { source } = createTestSource({ baseUrl: service.baseUrl, timeoutSeconds: 0.05 })
    stopTimers()
    const secret = source.get()
    await service.nextRequest()
    vi.advanceTimersByTime(50)
    await expect(secret).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
  })

  it('is waited for on an edge runtime too, where a timer is a number', async () => {
    const service = await startPaymentService(secretAnswer())
    const { source } = createTestSource({ baseUrl: service.baseUrl })
    const timers = vi.spyOn(globalThis, 'setTimeout').mockReturnValueOnce(7 as unknown as NodeJS.Timeout)
    onTestFinished(() => {
      timers.mockRestore()
    })
    await expect(source.get()).resolves.toBe(SECRET)
  })

  it('is waited for with a timer that holds no process, unlike the pause before a retry', async () => {
    const service = await startPaymentService(hang)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => {
      timers.mockRestore()
    })
    const held = (milliseconds: number): boolean => {
      const index = timers.mock.calls.findIndex((call) => call[1] === milliseconds)
      return (timers.mock.results[index]?.value as NodeJS.Timeout).hasRef()
    }
    const controller = new AbortController()
    const source = createTestSource({ baseUrl: service.baseUrl, timeoutSeconds: 77 }).source
    const secret = refusalOf(source.get())
    await service.nextRequest()
    expect(held(77_000)).toBe(false)
    source.close()
    await secret
    // Else a server that waits for prime() would end without a word in between two attempts.
    const pause = sleep(88, controller.signal)
    expect(held(88_000)).toBe(true)
    controller.abort(new Error('enough'))
    await expect(pause).rejects.toThrow('enough')
  })
})

describe('a failure that may pass', () => {
  it('passes within the call, and nobody learns of it', async () => {
    const service = await startPaymentService(status(500), cutOff, secretAnswer())
    const { source } = createTestSource({ baseUrl: service.baseUrl })
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(3)
    expect(source.lastError).toBeUndefined()
  })

  it.each([
    [0, [0.1, 0.2, 0.4, 0.8, 1, 1]],
    [0.5, [0.2, 0.4, 0.8, 1.6, 2, 2]],
    [1, [0.3, 0.6, 1.2, 2.4, 3, 3]],
  ])(
    'is tried again after pauses that grow, a little longer or shorter by chance (%d)',
    async (chance, all) => {
      const service = await startPaymentService(status(500))
      const { source, pauses } = createTestSource({ baseUrl: service.baseUrl, retries: 6 }, chance)
      await refusalOf(source.get())
      expect(pauses.map((pause) => Number(pause.toFixed(6)))).toEqual(all)
      expect(service.requests).toHaveLength(7)
    },
  )

  it('is not tried again with no retries', async () => {
    const service = await startPaymentService(status(500), secretAnswer())
    const { source } = createTestSource({ baseUrl: service.baseUrl, retries: 0 })
    expect((await refusalOf(source.get())).message).toContain('HTTP 500')
    expect(service.requests).toHaveLength(1)
  })

  it('is told with the key taken out, where the error of a fetch quotes it', async () => {
    const organizationKey = 'key_of_the_organization'
    const request = { headers: { 'X-Api-Key': API_KEY } }
    const failing: FetchFunction = (_, { headers }) =>
      Promise.reject(
        Object.assign(new Error(`cannot send ${headers['X-Api-Key']!}`), {
          request,
          cause: { message: '', code: 'E_PROXY', cause: { message: `for ${organizationKey}`, cause: {} } },
        }),
      )
    const { source } = createTestSource({
      fetch: failing,
      apiKey: { organizationKey, accountId: 'acc_1', live: true },
    })
    const error = await refusalOf(source.get())
    expect(error.message).toContain(
      'could not be reached: cannot send [key]: E_PROXY: for [key]: no reason given. Check',
    )
    expectNoKeys(error, organizationKey)
  })

  it('is told though its error has no end of causes, or is none', async () => {
    const endless: Error = new Error('again')
    endless.cause = endless
    const first = createTestSource({ fetch: () => Promise.reject(endless) })
    expect((await refusalOf(first.source.get())).message).toContain('reached: again: again: again: again. C')
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- others do
    const second = createTestSource({ fetch: () => Promise.reject(null) })
    expect((await refusalOf(second.source.get())).message).toContain('could not be reached')
  })

  it('is what a fetch that gives no response is taken for', async () => {
    const fetch = (() => Promise.resolve(undefined)) as unknown as FetchFunction
    const { source } = createTestSource({ fetch })
    expect((await refusalOf(source.get())).message).toContain('broke off')
  })
})

describe('Retry-After', () => {
  it.each<[header: string, calls: number, retryAfterSeconds: number, pauses: readonly number[]]>([
    // Up to a second it is waited for within the call.
    ['0', 3, 1, [0.2, 0.4]],
    ['1', 3, 1, [1, 1]],
    // Longer, and the call fails at once. The service is left alone for as long as it asks for, up to 300 s.
    ['2', 1, 2, []],
    ['60', 1, 60, []],
    ['301', 1, 300, []],
    ['9'.repeat(400), 1, 300, []],
    // The clock stands at 15:41:20.
    ['Thu, 27 Mar 2025 15:43:20 GMT', 1, 120, []],
    ['Thu, 27 Mar 2025 15:41:00 GMT', 3, 1, [0.2, 0.4]],
    // Whatever else it says counts as nothing said.
    ['soon', 3, 10, [0.2, 0.4]],
    ['-5', 3, 10, [0.2, 0.4]],
    ['not GMT', 3, 10, [0.2, 0.4]],
  ])('of %s', async (header, calls, retryAfterSeconds, expected) => {
    for (const code of [429, 503]) {
      const service = await startPaymentService(status(code, { 'Retry-After': header }))
      const { source, pauses, pass } = createTestSource({ baseUrl: service.baseUrl })
      expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds })
      expect(service.requests).toHaveLength(calls)
      expect(pauses).toEqual(expected)

      service.answerWith(secretAnswer())
      pass(retryAfterSeconds - 0.5)
      expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds: 1 })
      expect(service.requests).toHaveLength(calls)
      pass(0.5)
      await expect(source.get()).resolves.toBe(SECRET)
      expect(service.requests).toHaveLength(calls + 1)
    }
  })

  it('as a date is rounded up to whole seconds, for a header cannot say less', async () => {
    const service = await startPaymentService(status(503, { 'Retry-After': 'Thu, 27 Mar 2025 15:43:20 GMT' }))
    const { source, pass } = createTestSource({ baseUrl: service.baseUrl })
    pass(0.4)
    expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds: 120 })
  })
})

/** Stops the timers that the sources run on, until the end of the test. The servers and their sockets go on. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

async function startRawServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
