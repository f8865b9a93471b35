import { describe, expect, it, vi } from 'vitest'
import { explain } from '../../src/explain.js'
import { createVerifier, memoryReplayStore, WebhookError, type WebhookErrorCode } from '../../src/index.js'
import * as node from '../../src/receiver.js'
import * as web from '../../src/receiver.web.js'
import { now, hmac, plain, secret, timestamp, v3Message } from '../support/deliveries.js'

const entries = [
  { digest: 'node:crypto', ...node },
  { digest: 'Web Crypto', ...web },
]
const header = `t=${timestamp},v3=${hmac(secret, v3Message(plain))}`
const bytes = () => Buffer.from(plain)
const arrival = (value: string) => ({ request: 'a request', header: value, encoding: null })

describe.each(entries)('a receiver over $digest', ({ createReceiver }) => {
  it('gives the delivery, and leaves the answer to who asked', async () => {
    const receiver = createReceiver({ secret, now })
    const { webhook, handle } = await receiver.admit(arrival(header)).accept(bytes)
    expect(webhook).toMatchObject({ timestamp, event: { payload: { a: 1 } } })
    expect(await handle(() => undefined)).toBeUndefined()
    expect(receiver.limits).toEqual({ bodyLimit: 1_048_576, bodyTimeoutSeconds: 30 })
  })

  it('checks the time again when the body is there, before it asks for the secret', async () => {
    let time = now()
    const source = vi.fn(() => secret)
    const onRejected = vi.fn()
    const { admit } = createReceiver({ secret: source, now: () => time, onRejected })
    const { accept } = admit(arrival(header))
    const late = accept(() => {
      time += 301_000
      return bytes()
    })
    await expect(late).rejects.toThrow(new WebhookError('ERR_DELIVERY_REFUSED').message)
    expect(onRejected.mock.calls).toMatchObject([[{ code: 'ERR_TIMESTAMP_TOO_OLD' }, {}]])
    expect(source).not.toHaveBeenCalled()
  })

  it('accepts a body that is complete when its delivery is exactly as old as allowed', async () => {
    let time = now()
    const { accept } = createReceiver({ secret, now: () => time }).admit(arrival(header))
    const { webhook } = await accept(() => {
      time += 300_000
      return bytes()
    })
    expect(webhook.timestamp).toBe(timestamp)
  })

  it('does not copy the body, which is its own', async () => {
    const body = bytes()
    const receiver = createReceiver({ secret: () => secret, now, replay: memoryReplayStore() })
    const { webhook } = await receiver.admit(arrival(header)).accept(() => body)
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

  it('takes a store that remembers just as long as a delivery is accepted', () => {
    const replay = memoryReplayStore({ ttlSeconds: 390 })
    expect(() => createReceiver({ secret, replay })).not.toThrow()
  })

  it('reads no body behind a header that is not worth it', () => {
    const onRejected = vi.fn()
    const { admit } = createReceiver({ secret, now, onRejected })
    expect(() => admit(arrival('t=1'))).toThrow(new WebhookError('ERR_DELIVERY_REFUSED').message)
    expect(onRejected.mock.calls).toMatchObject([
      [{ code: 'ERR_SIGNATURE_VERSION_MISSING' }, { request: 'a request' }],
    ])
  })
})

describe('explain, of a body that was printed again', () => {
  const printed = JSON.stringify(JSON.parse(plain) as unknown, null, 4)
  const SENTENCE = new WebhookError('ERR_SIGNATURE_MISMATCH').message.split('.')[0]!

  async function findingOf(
    { createReceiver }: Pick<typeof node, 'createReceiver'>,
    given?: typeof explain,
  ): Promise<{ finding: string; hypotheses: number }> {
    let report: ReturnType<typeof explain> | undefined
    const onRejected = (_error: WebhookError, context: node.RejectionContext<unknown>) => {
      report = context.explain()
    }
    const { admit } = createReceiver({ secret, now, onRejected }, given)
    await expect(admit(arrival(header)).accept(() => Buffer.from(printed))).rejects.toThrow(
      'The delivery was refused',
    )
    const { finding, hypotheses } = await report!
    return { finding, hypotheses: hypotheses.length }
  }

  it.each([
    { entry: 'the entry for Node', found: () => findingOf(node) },
    { entry: 'the entry for edges, where it is given', found: () => findingOf(web, explain) },
  ])('is there with $entry', async ({ found }) => {
    expect((await found()).hypotheses).toBeGreaterThan(0)
  })

  it('is what the error says with the entry for edges, where it is not given', async () => {
    const { finding, hypotheses } = await findingOf(web)
    expect(hypotheses).toBe(0)
    expect(finding).toContain(SENTENCE)
  })
})

describe('a problem', () => {
  it.each<[code: WebhookErrorCode, status: number, title: string, headers: object]>([
    ['ERR_SIGNATURE_MALFORMED', 400, 'Bad Request', {}],
    ['ERR_DELIVERY_REFUSED', 401, 'Unauthorized', { 'WWW-Authenticate': 'Service-Signature' }],
    ['ERR_BODY_TIMEOUT', 408, 'Request Timeout', { Connection: 'close' }],
    ['ERR_DELIVERY_IN_PROGRESS', 409, 'Conflict', { 'Retry-After': '10' }],
    ['ERR_BODY_TOO_LARGE', 413, 'Content Too Large', {}],
    ['ERR_BODY_ENCODED', 415, 'Unsupported Media Type', {}],
    ['ERR_BODY_CONSUMED', 500, 'Internal Server Error', {}],
    ['ERR_SECRET_UNAVAILABLE', 503, 'Service Unavailable', { 'Retry-After': '10' }],
  ])('of %s says %i %s and no more', (code, status, title, headers) => {
    expect(node.problemOf(new WebhookError(code))).toEqual({
      status,
      headers: { ...headers, 'Content-Type': 'application/problem+json' },
      body: JSON.stringify({ title, status }),
    })
  })

  it.each([new TypeError('a bug'), undefined])('is not made of another error: %s', (error) => {
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
