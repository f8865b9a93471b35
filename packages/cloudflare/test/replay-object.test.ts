import { durableObjectReplayStore, ReplayObject } from '@service-signature/cloudflare'
import { replayStoreCases } from '@service-signature/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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
