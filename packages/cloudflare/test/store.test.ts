import { d1Inbox, durableObjectReplayStore } from '@service-signature/cloudflare'
import type { ReplayStore } from '@service-signature/core'
import { describe, expect, it, vi } from 'vitest'
import { FakeD1 } from '../../../test/contract/test/protocol/stores/fake-d1.js'
import { FakeObjects, type SendRequest } from '../../../test/contract/test/protocol/stores/fake-objects.js'
import { LOST, pass, type Fault } from './support/faults.js'

/** Each store, over a network that has one fault. */
const STORES: Readonly<Record<string, (fault: () => Fault) => ReplayStore>> = {
  d1Inbox: (fault) =>
    d1Inbox(
      new FakeD1().connect((_name, run) => pass(fault(), run)),
      { ttlSeconds: 86_400, timeoutSeconds: 0.01 },
    ),
  durableObjectReplayStore: (fault) =>
    durableObjectReplayStore(
      new FakeObjects().connect((_step, run) => pass(fault(), run)),
      {
        timeoutSeconds: 0.01,
      },
    ),
}

it('says that the store of Durable Objects failed, and what decides about deliveries meanwhile', async () => {
  const failing = (send: SendRequest) =>
    durableObjectReplayStore(new FakeObjects().connect(send), { timeoutSeconds: 0.01 }).claim('key')
  await expect(failing(() => Promise.reject(new Error('Durable Object is overloaded.')))).rejects.toThrow(
    'The replay store failed: Durable Object is overloaded. A retry can be handled. ' +
      '"onStoreError" decides whether deliveries are accepted meanwhile.',
  )
  await expect(failing(() => new Promise(() => undefined))).rejects.toThrow(
    'The replay store failed: there was no answer within 0.01 s. "timeoutSeconds" sets the limit. "onStoreError"',
  )
})

describe.each(Object.entries(STORES))('%s', (_name, open) => {
  it.each(['request lost', 'answer lost', 'no answer'] as const)(
    'refuses a claim with 503 if there is %s, and frees the key for the retry',
    async (fault) => {
      let next: Fault = fault
      const store = open(() => {
        const now = next
        next = 'none'
        return now
      })
      await expect(store.claim('key')).rejects.toMatchObject({
        code: 'ERR_REPLAY_STORE_UNAVAILABLE',
        status: 503,
        retryAfterSeconds: 10,
        cause: {
          message:
            fault === 'no answer'
              ? (expect.stringMatching(/^there was no answer within 0.01 s/) as string)
              : LOST,
        },
      })
      await expect.poll(async () => (await store.claim('key')).status).toBe('new')
    },
  )

  it.each(['claim', 'commit', 'release'] as const)('has a time limit for %s', async (step) => {
    const store = open(() => 'no answer')
    await expect(Promise.resolve(store[step]('key', 'token'))).rejects.toThrow()
  })

  it('claims a key again after its release was lost and its lease ended', async () => {
    const now = vi.spyOn(Date, 'now')
    let next: Fault = 'none'
    const store = open(() => next)
    const { token } = await store.claim('key')
    next = 'request lost'
    await expect(Promise.resolve(store.release('key', token))).rejects.toMatchObject({
      cause: { message: LOST },
    })
    next = 'none'
    expect((await store.claim('key')).status).toBe('in-progress')
    const later = Date.now() + 61_000
    now.mockReturnValue(later)
    expect((await store.claim('key')).status).toBe('new')
    now.mockRestore()
  })
})

const db = { prepare: vi.fn(), batch: vi.fn() } as never
const namespace = { idFromName: vi.fn(), get: vi.fn() } as never

describe('durableObjectReplayStore', () => {
  it.each([undefined, null, { idFromName: vi.fn() }, db])(
    'refuses the binding %j, with the lines of the configuration',
    (binding) => {
      const make = () => durableObjectReplayStore(binding as never)
      expect(make).toThrow(TypeError)
      expect(make).toThrow(
        'expected a namespace of Durable Objects, such as env.REPLAY. The Worker must export ReplayObject',
      )
      expect(make).toThrow('"migrations": [{ "tag": "v1", "new_sqlite_classes": ["ReplayObject"] }]')
    },
  )

  it.each<[options: object, error: typeof TypeError | typeof RangeError, message: string]>([
    [{ table: 'inbox' }, TypeError, 'durableObjectReplayStore'],
    [{ ttlSeconds: 0 }, RangeError, '"ttlSeconds"'],
    [{ leaseSeconds: Infinity }, RangeError, '"leaseSeconds"'],
    [{ timeoutSeconds: 0 }, RangeError, '"timeoutSeconds"'],
  ])('refuses the options %j', (options, error, message) => {
    const make = () => durableObjectReplayStore(namespace, options)
    expect(make).toThrow(error)
    expect(make).toThrow(message)
  })

  it('remembers for a day by default', () => {
    expect(durableObjectReplayStore(namespace)).toMatchObject({ ttlSeconds: 86_400, leaseSeconds: 60 })
  })
})
