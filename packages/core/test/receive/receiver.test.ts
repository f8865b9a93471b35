import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it, vi } from 'vitest'
import {
  createVerifier,
  memoryReplayStore,
  WebhookError,
  type WebhookErrorCode,
} from '../../src/entries/index.js'
import * as node from '../../src/entries/receiver.js'
import * as web from '../../src/entries/receiver.web.js'
import { hmac, now, plain, secret, timestamp, v3Message } from '../support/deliveries.js'

const entries = [
  { digest: 'node:crypto', ...node },
  { digest: 'Web Crypto', ...web },
]
const header = `t=${timestamp},v3=${hmac(secret, v3Message(plain))}`
const bytes = () => Buffer.from(plain)
const requestHead = (value: string) => ({ request: 'a request', header: value, encoding: null })

/** Runs the first two steps of a delivery. Rejects with the error for the caller. */
async function received<Request>(
  receiver: node.Receiver<Request | string>,
  value: string,
  read: () => Uint8Array,
): Promise<node.VerifiedReception<Request | string>> {
  const reception = receiver.open(requestHead(value))
  try {
    return await reception.checkHeader().verify(read())
  } catch (error) {
    throw await reception.refuse(error)
  }
}

describe.each(entries)('a receiver over $digest', ({ createReceiver }) => {
  it('returns the delivery, and leaves the answer to the caller', async () => {
    const receiver = createReceiver({ secret, now })
    const delivery = await received(receiver, header, bytes)
    expect(delivery.webhook).toMatchObject({ timestamp, event: { payload: { a: 1 } } })
    expect(await delivery.start()).toBeUndefined()
    expect(receiver.limits).toEqual({ bodyLimit: 1_048_576, bodyTimeoutSeconds: 30 })
  })

  it('reports a refusal once, although the host passes it twice', async () => {
    const onRejected = vi.fn()
    const reception = createReceiver({ secret, now, onRejected }).open(requestHead(header))
    const refusal = new WebhookError('ERR_BODY_TIMEOUT')
    for (const time of ['first', 'second']) expect(await reception.refuse(refusal), time).toBe(refusal)
    expect(onRejected).toHaveBeenCalledOnce()
  })

  it('takes the error of a handler for a failure, not for a refusal', async () => {
    const onRejected = vi.fn()
    const reception = createReceiver({ secret, now, onRejected }).open(requestHead(header))
    const delivery = await reception.checkHeader().verify(bytes())
    await delivery.start()
    const refusal = new WebhookError('ERR_SIGNATURE_MISMATCH')
    const failure = await reception.refuse(refusal)
    expect(failure).toMatchObject({ cause: refusal })
    expect(WebhookError.is(failure)).toBe(false)
    for (const kept of [new WebhookError('ERR_DELIVERY_IN_PROGRESS'), new Error('the database is down')]) {
      expect(await reception.refuse(kept)).toBe(kept)
    }
    expect(onRejected).not.toHaveBeenCalled()
  })

  it('has nothing to start of a delivery that is not expected', async () => {
    const receiver = createReceiver({ secret, now, expect: { account: 'acc_1' } })
    const checked = receiver.open(requestHead(header)).checkHeader()
    await expect(checked.verify(bytes())).rejects.toMatchObject({ code: 'ERR_ACCOUNT_UNEXPECTED' })
  })

  it('checks the time again after the body has arrived, before it asks for the secret', async () => {
    let time = now()
    const source = vi.fn(() => secret)
    const onRejected = vi.fn()
    const receiver = createReceiver({ secret: source, now: () => time, onRejected })
    const late = received(receiver, header, () => {
      time += 301_000
      return bytes()
    })
    await expect(late).rejects.toThrow(new WebhookError('ERR_DELIVERY_REFUSED').message)
    expect(onRejected.mock.calls).toMatchObject([[{ code: 'ERR_TIMESTAMP_TOO_OLD' }, {}]])
    expect(source).not.toHaveBeenCalled()
  })

  it('accepts a body that is complete when its delivery is exactly as old as allowed', async () => {
    let time = now()
    const { webhook } = await received(createReceiver({ secret, now: () => time }), header, () => {
      time += 300_000
      return bytes()
    })
    expect(webhook.timestamp).toBe(timestamp)
  })

  it('does not copy the body, because no caller can change it', async () => {
    const body = bytes()
    const receiver = createReceiver({ secret: () => secret, now, replay: memoryReplayStore() })
    const { webhook } = await received(receiver, header, () => body)
    expect(webhook.rawBody).toBe(body)
  })

  it.each([
    [389, {}],
    [360, {}],
    [360.5, { bodyTimeoutSeconds: 1 }],
  ])(
    'refuses a store that forgets after %i s, while a delivery is still accepted',
    (ttlSeconds, options: { bodyTimeoutSeconds?: number }) => {
      const replay = memoryReplayStore({ ttlSeconds })
      const needed = 360 + (options.bodyTimeoutSeconds ?? 30)
      const message = `"ttlSeconds" of the replay store must be at least ${needed} (toleranceSeconds + futureToleranceSeconds + bodyTimeoutSeconds), got ${ttlSeconds}`
      expect(() => createReceiver({ secret, replay, ...options })).toThrow(RangeError)
      expect(() => createReceiver({ secret, replay, ...options })).toThrow(message)
      const verifier = createVerifier({ secret })
      expect(() => createReceiver({ verifier, replay, ...options })).toThrow(message)
    },
  )

  it('accepts a store that remembers exactly as long as a delivery is accepted', () => {
    const replay = memoryReplayStore({ ttlSeconds: 390 })
    expect(() => createReceiver({ secret, replay })).not.toThrow()
  })

  it('does not read the body if the header is refused', async () => {
    const onRejected = vi.fn()
    const read = vi.fn(bytes)
    const refused = received(createReceiver({ secret, now, onRejected }), 't=1', read)
    await expect(refused).rejects.toThrow(new WebhookError('ERR_DELIVERY_REFUSED').message)
    expect(read).not.toHaveBeenCalled()
    expect(onRejected.mock.calls).toMatchObject([
      [{ code: 'ERR_SIGNATURE_VERSION_MISSING' }, { request: 'a request' }],
    ])
  })
})

it.each([
  { lease: 'the default', leaseSeconds: 60, milliseconds: 60_000 },
  { lease: 'longer than any timer', leaseSeconds: 30 * 86_400, milliseconds: 2 ** 31 - 1000 },
])('reports a delivery as abandoned after a lease that is $lease', async ({ leaseSeconds, milliseconds }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const reports: unknown[] = []
  const listen = (report: unknown) => reports.push((report as { outcome: string }).outcome)
  subscribe('service-signature:delivery', listen)
  const replay = { ...memoryReplayStore({ now }), leaseSeconds }
  const receiver = node.createReceiver({ secret, now, replay })
  const reception = receiver.open({ ...requestHead(header), signal: () => AbortSignal.abort() })
  const delivery = await reception.checkHeader().verify(bytes())
  await delivery.start()
  await vi.advanceTimersByTimeAsync(milliseconds - 1)
  expect(reports).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  unsubscribe('service-signature:delivery', listen)
  vi.useRealTimers()
  expect(reports).toEqual(['abandoned'])
})

it('starts no timer for a sender who leaves after the outcome is known', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const reports: unknown[] = []
  const listen = (report: unknown) => reports.push((report as { outcome: string }).outcome)
  subscribe('service-signature:delivery', listen)
  const sender = new AbortController()
  const reception = node
    .createReceiver({ secret, now })
    .open({ ...requestHead(header), signal: () => sender.signal })
  const delivery = await reception.checkHeader().verify(bytes())
  await delivery.start()
  await delivery.finish(204)
  sender.abort()
  const timers = vi.getTimerCount()
  unsubscribe('service-signature:delivery', listen)
  vi.useRealTimers()
  expect({ reports, timers }).toEqual({ reports: ['handled'], timers: 0 })
})

describe('a problem', () => {
  it.each<[code: WebhookErrorCode, status: number, title: string, headers: object]>([
    ['ERR_SIGNATURE_MALFORMED', 400, 'Bad Request', {}],
    ['ERR_DELIVERY_REFUSED', 401, 'Unauthorized', { 'WWW-Authenticate': 'Service-Signature' }],
    ['ERR_BODY_TIMEOUT', 408, 'Request Timeout', {}],
    ['ERR_DELIVERY_IN_PROGRESS', 409, 'Conflict', { 'Retry-After': '10' }],
    ['ERR_BODY_TOO_LARGE', 413, 'Content Too Large', {}],
    ['ERR_BODY_ENCODED', 415, 'Unsupported Media Type', {}],
    ['ERR_BODY_CONSUMED', 500, 'Internal Server Error', {}],
    ['ERR_SECRET_UNAVAILABLE', 503, 'Service Unavailable', { 'Retry-After': '10' }],
  ])('of %s contains only %i %s', (code, status, title, headers) => {
    expect(node.problemOf(new WebhookError(code))).toEqual({
      status,
      headers: { ...headers, 'Content-Type': 'application/problem+json' },
      body: JSON.stringify({ title, status }),
    })
  })

  it.each([new TypeError('a bug'), undefined])('cannot be made from another error: %s', (error) => {
    const make = () => node.problemOf(error as unknown as WebhookError)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(
      expect.objectContaining({
        message:
          'problemOf: expected a WebhookError. Rethrow any other error: it is not an answer to the sender',
        cause: error,
      }),
    )
  })
})

describe.each(entries)('take, over $digest', ({ createReceiver }) => {
  it('resolves to the delivery, which is shown before the hooks are called and after the body is read', async () => {
    const steps: string[] = []
    const receiver = createReceiver({ secret, now, onVerified: () => steps.push('hook') })
    const taken = await receiver.open(requestHead(header)).take(
      () => {
        steps.push('read')
        return bytes()
      },
      ({ rawBody }) => steps.push(`shown ${rawBody.length === bytes().length}`),
    )
    expect(Object.keys(taken)).toEqual(['delivery'])
    expect(steps).toEqual(['read', 'shown true', 'hook'])
  })

  it('resolves to the status of a duplicate', async () => {
    const receiver = createReceiver({ secret, now, replay: memoryReplayStore() })
    const take = () => receiver.open(requestHead(header)).take(bytes)
    const first = await take()
    if (!('delivery' in first)) expect.fail('the first was not taken')
    await first.delivery.finish(204)
    expect(await take()).toEqual({ status: 200 })
  })

  it('resolves to the status of the dispatcher', async () => {
    const dispatch = vi.fn(() => Promise.resolve())
    const receiver = createReceiver({ secret, now, dispatcher: { dispatch } })
    expect(await receiver.open(requestHead(header)).take(bytes)).toEqual({ status: 204 })
    expect(dispatch).toHaveBeenCalledOnce()
  })

  it.each([
    ['the header is wrong, and reads no body', 't=1', bytes, 0],
    ['the body is another', header, () => Buffer.from('{}'), 1],
  ])('resolves to the error for the host if %s', async (_, value, body, reads) => {
    const read = vi.fn(body)
    const [shown, dispatch, onRejected] = [vi.fn(), vi.fn(() => Promise.resolve()), vi.fn()]
    const receiver = createReceiver({ secret, now, dispatcher: { dispatch }, onRejected })
    const taken = await receiver.open(requestHead(value)).take(read, shown)
    expect(taken).toMatchObject({ refused: { code: 'ERR_DELIVERY_REFUSED' } })
    expect(read).toHaveBeenCalledTimes(reads)
    expect(onRejected).toHaveBeenCalledOnce()
    expect([shown, dispatch].map(({ mock }) => mock.calls)).toEqual([[], []])
  })

  it('resolves to the error of a handler of the dispatcher', async () => {
    const error = new Error('the handler fails')
    const receiver = createReceiver({ secret, now, dispatcher: { dispatch: () => Promise.reject(error) } })
    expect(await receiver.open(requestHead(header)).take(bytes)).toEqual({ refused: error })
  })
})
