import { describe, expect, it } from 'vitest'
import { memoryReplayStore, type MemoryReplayStoreOptions } from '../../src/entries/index.js'

function storeWithClock(options: MemoryReplayStoreOptions = {}) {
  const clock = { seconds: 1_743_090_080 }
  const store = memoryReplayStore({ now: () => clock.seconds * 1000, ...options })
  return {
    clock,
    store,
    status: (key: string) => store.claim(key).status,
    handle: (key: string) => {
      store.commit(key, store.claim(key).token)
    },
  }
}

describe('the memory store', () => {
  it('keeps a claim for a minute and a commit for a day by default', () => {
    const { store, status, clock, handle } = storeWithClock()
    expect(store.ttlSeconds).toBe(86_400)
    expect(status('a')).toBe('new')
    clock.seconds += 59.999
    expect(status('a')).toBe('in-progress')
    clock.seconds += 0.001
    expect(status('a')).toBe('new')
    handle('b')
    clock.seconds += 86_399.999
    expect(status('b')).toBe('done')
    clock.seconds += 0.001
    expect(status('b')).toBe('new')
  })

  it('returns a token only for a new claim', () => {
    const { store, handle } = storeWithClock()
    expect(store.claim('a')).toEqual({ status: 'new', token: expect.stringMatching(/./) as string })
    expect(store.claim('a')).toEqual({ status: 'in-progress', token: '' })
    handle('b')
    expect(store.claim('b')).toEqual({ status: 'done', token: '' })
  })

  it('uses the clock of the machine by default', () => {
    const store = memoryReplayStore()
    expect(store.claim('a').status).toBe('new')
    expect(store.claim('a').status).toBe('in-progress')
  })

  it('forgets the oldest first if there are too many', () => {
    const { store, status, handle } = storeWithClock({ maxEntries: 3 })
    for (const key of ['a', 'b', 'c', 'd']) handle(key)
    expect(store.size).toBe(3)
    expect(['d', 'c', 'b'].map(status)).toEqual(['done', 'done', 'done'])
    expect(status('a')).toBe('new')
    expect(store.size).toBe(3)
    expect(['d', 'c'].map(status)).toEqual(['done', 'done'])
  })

  it('counts the age of a delivery from the time it was handled', () => {
    const { store, status, handle } = storeWithClock({ maxEntries: 3 })
    const slow = store.claim('slow')
    handle('a')
    store.commit('slow', slow.token)
    for (const key of ['b', 'c']) handle(key)
    expect(status('slow')).toBe('done')
    expect(status('a')).toBe('new')
  })

  it('forgets claims last, and the oldest of them first', () => {
    const { store, status, handle } = storeWithClock({ maxEntries: 2 })
    expect(status('claimed')).toBe('new')
    for (const key of ['a', 'b']) handle(key)
    expect(status('claimed')).toBe('in-progress')
    expect(['c', 'd'].map(status)).toEqual(['new', 'new'])
    expect(store.size).toBe(2)
    expect(status('d')).toBe('in-progress')
    expect(status('claimed')).toBe('new')
  })

  it('stays within the limit when claims commit late', () => {
    const { store, clock, handle } = storeWithClock({ maxEntries: 2, leaseSeconds: 1 })
    const late = ['a', 'b', 'c'].map((key) => ({ key, token: store.claim(key).token }))
    clock.seconds += 2
    for (const key of ['d', 'e']) handle(key)
    for (const { key, token } of late) store.commit(key, token)
    expect(store.size).toBe(2)
    expect(store.claim('c').status).toBe('done')
  })

  it('keeps the order when most claims have ended', () => {
    const { store, status } = storeWithClock({ maxEntries: 3 })
    expect(status('first')).toBe('new')
    for (let i = 0; i < 1000; i++) {
      const { token } = store.claim(String(i))
      if (i !== 700) store.release(String(i), token)
    }
    expect(['last', 'first', '700'].map(status)).toEqual(['new', 'in-progress', 'in-progress'])
    expect(['next', '700', 'last'].map(status)).toEqual(['new', 'in-progress', 'in-progress'])
    expect(['one', 'last', 'next'].map(status)).toEqual(['new', 'in-progress', 'in-progress'])
    expect(status('first')).toBe('new')
  })

  it('does not keep lapsed entries', () => {
    const { store, clock, handle, status } = storeWithClock({ leaseSeconds: 10, ttlSeconds: 100 })
    for (const key of ['a', 'b', 'c']) handle(key)
    expect(['d', 'e'].map(status)).toEqual(['new', 'new'])
    expect(store.size).toBe(5)
    clock.seconds += 10
    handle('f')
    expect(store.size).toBe(4)
    clock.seconds += 90
    handle('g')
    expect(store.size).toBe(2)
  })
})

describe('the options of the memory store', () => {
  it.each<[message: string, options: unknown]>([
    ['memoryReplayStore has no option "maxentries". Did you mean "maxEntries"?', { maxentries: 5 }],
    ['memoryReplayStore has no option "ttl". Did you mean "ttlSeconds"?', { ttl: 5 }],
    ['memoryReplayStore: expected an options object, got null', null],
    ['"maxEntries" must be a whole number greater than 0, at most 10000000, got string', { maxEntries: '5' }],
    ['"leaseSeconds" must be greater than 0', { leaseSeconds: '60' }],
    ['"now" must be a function that returns milliseconds, got number', { now: 5 }],
  ])('are rejected: %s', (message, options) => {
    const make = () => memoryReplayStore(options as MemoryReplayStoreOptions)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  it.each<[message: string, options: MemoryReplayStoreOptions]>([
    ['"maxEntries" must be a whole number greater than 0, at most 10000000, got 0', { maxEntries: 0 }],
    ['"maxEntries" must be a whole number greater than 0, at most 10000000, got 1.5', { maxEntries: 1.5 }],
    [
      '"maxEntries" must be a whole number greater than 0, at most 10000000, got 10000001',
      { maxEntries: 10_000_001 },
    ],
    ['"maxEntries" must be a whole number greater than 0, at most 10000000, got NaN', { maxEntries: NaN }],
    ['"leaseSeconds" must be greater than 0', { leaseSeconds: 0 }],
    ['"ttlSeconds" must be greater than 0', { ttlSeconds: -1 }],
    ['"ttlSeconds" must be greater than 0', { ttlSeconds: Infinity }],
  ])('are rejected if out of bounds: %s', (message, options) => {
    const make = () => memoryReplayStore(options)
    expect(make).toThrow(RangeError)
    expect(make).toThrow(message)
  })

  it.each<MemoryReplayStoreOptions>([
    {},
    { maxEntries: 10_000_000, leaseSeconds: 0.5, ttlSeconds: 365 * 1000 * 86_400, now: Date.now },
    { maxEntries: 1, now: undefined as never },
  ])('are accepted: %o', (options) => {
    expect(memoryReplayStore(options).size).toBe(0)
  })
})
