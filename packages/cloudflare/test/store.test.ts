import { d1Inbox, durableObjectReplayStore, ReplayObject } from '@service-signature/cloudflare'
import type { ReplayStore } from '@service-signature/core'
import { replayStoreCases } from '@service-signature/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { FakeD1 } from '../../../test/contract/test/protocol/stores/fake-d1.js'
import { FakeObjects } from '../../../test/contract/test/protocol/stores/fake-objects.js'

describe('ReplayObject', () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })
  afterAll(() => {
    vi.useRealTimers()
  })

  for (const { name, run } of replayStoreCases((times) => {
    const objects = new FakeObjects()
    const open = () => durableObjectReplayStore(objects.connect(), times)
    return {
      store: open(),
      other: open(),
      advance: (seconds) => vi.advanceTimersByTimeAsync(seconds * 1000),
    }
  })) {
    it(name, run)
  }

  it('deletes its state by its alarm, and leaves nothing after a release', async () => {
    const objects = new FakeObjects()
    const store = durableObjectReplayStore(objects.connect(), { leaseSeconds: 10, ttlSeconds: 100 })
    const object = objects.object('key')
    const { token } = await store.claim('key')
    expect(object.hasAlarm).toBe(true)
    await store.release('key', token)
    expect([object.entries.size, object.hasAlarm]).toEqual([0, false])

    await store.commit('key', (await store.claim('key')).token)
    await vi.advanceTimersByTimeAsync(11_000)
    expect([object.entries.size, object.hasAlarm]).toEqual([1, true])
    await vi.advanceTimersByTimeAsync(90_000)
    expect([object.entries.size, object.hasAlarm]).toEqual([0, false])
  })

  it('sets its alarm again if it comes too early, and does nothing without a state', async () => {
    const objects = new FakeObjects()
    const store = durableObjectReplayStore(objects.connect())
    const object = objects.object('key')
    await store.claim('key')
    await object.alarm()
    expect([object.entries.size, object.hasAlarm]).toEqual([1, true])
    await objects.object('another').alarm()
    expect(objects.object('another').hasAlarm).toBe(false)
  })

  it('answers a claim that is sent twice with its token in the same way', async () => {
    const object = new FakeObjects().object('key')
    const claim = async (token: string) =>
      (await object.fetch(`https://test/claim?token=${token}&seconds=60`)).text()
    expect([await claim('a'), await claim('a'), await claim('b')]).toEqual(['new', 'new', 'in-progress'])
  })

  it('answers any other request with 404', async () => {
    const object = new ReplayObject({ storage: { get: () => Promise.resolve(undefined) } as never })
    expect((await object.fetch({ url: 'https://test/' })).status).toBe(404)
  })
})

type Fault = 'none' | 'request lost' | 'answer lost' | 'no answer'

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

async function pass<Answer>(fault: Fault, run: () => Answer | Promise<Answer>): Promise<Answer> {
  if (fault === 'request lost') throw new Error('Network connection lost.')
  const answer = await run()
  if (fault === 'answer lost') throw new Error('Network connection lost.')
  return fault === 'no answer' ? new Promise(() => undefined) : answer
}

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
          message: fault === 'no answer' ? 'There was no answer within 0.01 s' : 'Network connection lost.',
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
    await expect(Promise.resolve(store.release('key', token))).rejects.toThrow('Network connection lost.')
    next = 'none'
    expect((await store.claim('key')).status).toBe('in-progress')
    const later = Date.now() + 61_000
    now.mockReturnValue(later)
    expect((await store.claim('key')).status).toBe('new')
    now.mockRestore()
  })
})
