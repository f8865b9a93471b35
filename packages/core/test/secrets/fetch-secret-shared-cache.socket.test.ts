import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CachedSecret, SecretCache } from '../../src/secrets/fetched/options.js'
import {
  NEW_SECRET,
  SECRET,
  secretAnswer,
  startPaymentService,
  status,
  type Answer,
  type PaymentService,
} from './support/payment-service.js'
import { createTestSource, expectNoKeys, refusalOf, type TestSource } from './support/source.js'

const START = createTestSource({}).now()

interface Setup extends TestSource {
  readonly service: PaymentService
  readonly get: ReturnType<typeof vi.fn<() => unknown>>
  readonly set: ReturnType<typeof vi.fn<(value: CachedSecret) => unknown>>
}

/** A source with a shared cache that gives what the function gives. */
async function setUp(cached: () => unknown, ...answers: readonly Answer[]): Promise<Setup> {
  const service = await startPaymentService(...answers)
  const get = vi.fn(cached)
  const set = vi.fn<(value: CachedSecret) => unknown>()
  const test = createTestSource({
    baseUrl: service.baseUrl,
    maxAgeSeconds: 60,
    retries: 0,
    cache: { get, set } as SecretCache,
  })
  return { ...test, service, get, set }
}

describe('a shared cache', () => {
  it('is asked before the service, and told what that answered', async () => {
    const { source, service, get, set } = await setUp(() => undefined, secretAnswer())
    await expect(Promise.all([source.get(), source.get()])).resolves.toEqual([SECRET, SECRET])
    await source.get()
    await source.prime()
    expect(get).toHaveBeenCalledOnce()
    expect(set).toHaveBeenCalledExactlyOnceWith({ secret: SECRET, fetchedAt: START })
    expect(service.requests).toHaveLength(1)
    expect(source.lastError).toBeUndefined()
  })

  it('spares the call to the service where it has a fresh secret', async () => {
    const cached = { secret: SECRET, fetchedAt: START - 60_000 }
    const { source, service, set } = await setUp(() => Promise.resolve(cached), status(500))
    await source.prime()
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.cachedAt).toBe(START - 60_000)
    expect(set).not.toHaveBeenCalled()
    expect(service.requests).toHaveLength(0)
  })

  it('is asked again when the secret has expired: another instance may have a new one', async () => {
    let cached: unknown = undefined
    const { source, service, pass } = await setUp(() => cached, secretAnswer(), status(500))
    await source.get()
    pass(61)
    cached = { secret: NEW_SECRET, fetchedAt: START + 30_000 }
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(1)
  })

  it('does not take away a secret that is newer than its own', async () => {
    const cached = { secret: SECRET, fetchedAt: START }
    const { source, service, pass } = await setUp(() => cached, secretAnswer(NEW_SECRET), status(500))
    await source.get()
    pass(1)
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
    pass(61)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(2)
  })

  it('gives way to the service where its own secret is too old', async () => {
    const cached = { secret: SECRET, fetchedAt: START - 3_600_000 }
    const { source, set } = await setUp(() => cached, secretAnswer(NEW_SECRET))
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(set).toHaveBeenCalledExactlyOnceWith({ secret: NEW_SECRET, fetchedAt: START })
  })

  it('does not take away a secret of the same age', async () => {
    const cached = { secret: SECRET, fetchedAt: START }
    const { source, pass } = await setUp(() => cached, secretAnswer(NEW_SECRET), status(500))
    await source.get()
    await source.refresh()
    pass(61)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
  })

  it.each([undefined, null])('that has nothing says so with %s', async (nothing) => {
    const { source } = await setUp(() => nothing, secretAnswer())
    await source.get()
    expect(source.lastError).toBeUndefined()
  })

  it('helps out with an old secret where the service is down', async () => {
    const cached = { secret: SECRET, fetchedAt: START - 3_600_000 }
    const { source, service } = await setUp(() => cached, status(500))
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.lastError?.message).toContain('HTTP 500')
    expect(service.requests).toHaveLength(1)
  })

  it('does not help out with one that is older than maxAgeSeconds and staleSeconds', async () => {
    const cached = { secret: SECRET, fetchedAt: START - (60 + 86_400) * 1000 - 1 }
    const { source } = await setUp(() => cached, status(500))
    expect((await refusalOf(source.get())).message).toContain('HTTP 500')
  })

  it('is passed over by refresh, for it would give the secret that does not match', async () => {
    const cached = { secret: SECRET, fetchedAt: START }
    const { source, service, get, set } = await setUp(() => cached, secretAnswer(NEW_SECRET))
    await source.get()
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
    expect(get).toHaveBeenCalledOnce()
    expect(set).toHaveBeenCalledExactlyOnceWith({ secret: NEW_SECRET, fetchedAt: START })
    expect(service.requests).toHaveLength(1)
  })

  it('may be of another time: what was fetched in the future was fetched now', async () => {
    const cached = { secret: SECRET, fetchedAt: START + 3_600_000 }
    const { source, service, pass } = await setUp(() => cached, secretAnswer(NEW_SECRET))
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.cachedAt).toBe(START)
    pass(61)
    cached.fetchedAt = START
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(1)
  })

  it('cannot change the secret that a source has', async () => {
    const { source, set } = await setUp(() => null, secretAnswer())
    set.mockImplementation((value) => Object.assign(value, { secret: 'another', fetchedAt: 0 }))
    await source.get()
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.cachedAt).toBe(START)
  })

  it('keeps its own state, called as the methods that they are', async () => {
    class MapCache implements SecretCache {
      readonly #values = new Map<string, CachedSecret>()
      get(): CachedSecret | undefined {
        return this.#values.get('secret')
      }
      set(value: CachedSecret): void {
        this.#values.set('secret', value)
      }
    }
    const service = await startPaymentService(secretAnswer())
    const cache = new MapCache()
    const first = createTestSource({ baseUrl: service.baseUrl, cache })
    const second = createTestSource({ baseUrl: service.baseUrl, cache })
    await first.source.get()
    await expect(second.source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
    expect(first.source.lastError).toBeUndefined()
    expect(second.source.lastError).toBeUndefined()
  })
})

describe('a shared cache that is broken', () => {
  const never = new Promise<never>(() => undefined)
  const quoting = Object.assign(new Error(`WRONGTYPE ${SECRET}`), { command: ['SET', SECRET] })

  it.each<[fault: string, get: () => unknown, message: RegExp]>([
    ['throws', throwing(quoting), /The shared cache failed \(Error\)\./],
    ['throws what is no error', throwing(SECRET), /The shared cache failed \(string\)\./],
    ['rejects', () => Promise.reject(quoting), /The shared cache failed \(Error\)\./],
    [
      'says by a code why it rejects',
      () => Promise.reject(Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' })),
      /The shared cache failed \(ECONNREFUSED\)\./,
    ],
    ['parses what is no JSON', () => JSON.parse(SECRET) as unknown, /failed \(SyntaxError\)\./],
    ['gives the bare secret', () => SECRET, /gave something else than \{ secret, fetchedAt \}/],
    ['gives no time', () => ({ secret: SECRET }), /gave something else/],
    ['gives a time that is none', () => ({ secret: SECRET, fetchedAt: NaN }), /gave something else/],
    ['gives a date', () => ({ secret: SECRET, fetchedAt: new Date() }), /gave something else/],
    ['gives no secret', () => ({ fetchedAt: START }), /gave something else/],
    ['gives an empty secret', () => ({ secret: '', fetchedAt: START }), /gave something else/],
    [
      'gives a secret with a space',
      () => ({ secret: `${SECRET} `, fetchedAt: START }),
      /gave something else/,
    ],
    ['gives a list', () => ({ secret: [SECRET, SECRET], fetchedAt: START }), /gave something else/],
  ])('since it %s, counts as empty, and shows in lastError', async (_, get, message) => {
    const { source, service, set } = await setUp(get, secretAnswer(NEW_SECRET))
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(1)
    expect(set).toHaveBeenCalledOnce()
    expect(source.lastError?.message).toMatch(message)
    expectNoKeys(source.lastError)
    expectNoKeys(source)
  })

  it.each<[fault: string, set: () => unknown, message: RegExp]>([
    ['throws', throwing(quoting), /The shared cache failed \(Error\)\./],
    ['rejects', () => Promise.reject(quoting), /The shared cache failed \(Error\)\./],
  ])('and %s when it is told the secret, does not keep anybody from it', async (_, broken, message) => {
    const { source, set } = await setUp(() => undefined, secretAnswer())
    set.mockImplementation(broken)
    await expect(source.get()).resolves.toBe(SECRET)
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.lastError?.message).toMatch(message)
    expectNoKeys(source)
  })

  it('since it hangs, counts as empty, and shows in lastError', async () => {
    const { source, get, set } = await setUp(() => never, secretAnswer())
    stopTimers()
    const secret = source.get()
    expect(get).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(5000)
    await expect(secret).resolves.toBe(SECRET)
    expect(set).toHaveBeenCalledOnce()
    expect(source.lastError?.message).toContain('The shared cache did not answer within 5 s.')
  })

  it('and hangs when it is told the secret, holds up for its time-out who waited, and nobody else', async () => {
    const { source, set } = await setUp(() => undefined, secretAnswer())
    const told = new Promise<void>((resolve) => {
      set.mockImplementation(() => {
        resolve()
        return never
      })
    })
    stopTimers()
    const first = source.get()
    await told
    await expect(source.get()).resolves.toBe(SECRET)
    vi.advanceTimersByTime(5000)
    await expect(first).resolves.toBe(SECRET)
    expect(source.lastError?.message).toContain('The shared cache did not answer within 5 s.')
  })

  it('and so is the service: then the failure of the service is told', async () => {
    const { source } = await setUp(throwing(quoting), status(401))
    const error = await refusalOf(source.get())
    expect(error.message).toContain('HTTP 401')
    expect(source.lastError).toBe(error)
  })

  it('and is mended: then lastError is gone', async () => {
    let cached: () => unknown = throwing(quoting)
    const { source, pass } = await setUp(() => cached(), secretAnswer())
    await source.get()
    expect(source.lastError).toBeDefined()
    cached = () => undefined
    pass(61)
    await source.get()
    expect(source.lastError).toBeUndefined()
  })
})

/** Stops the timers that a source runs on, until the end of the test. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

function throwing(error: unknown): () => never {
  return () => {
    throw error
  }
}
