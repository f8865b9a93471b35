import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import type { CachedSecret, FetchSecretOptions, SecretCache } from '../../src/secrets/fetch-secret-options.js'
import {
  API_KEY,
  createTestSource,
  expectNoKeys,
  hang,
  holdTimeouts,
  NEW_SECRET,
  refusalOf,
  SECRET,
  secretAnswer,
  settled,
  START,
  status,
  type Answer,
  type TestSource,
} from './support/service.js'

interface Setup extends TestSource {
  readonly get: ReturnType<typeof vi.fn<(key: string) => unknown>>
  readonly set: ReturnType<typeof vi.fn<(key: string, value: CachedSecret) => unknown>>
}

/** A source with a shared cache that answers with what the function returns. */
function setUp(cached: () => unknown, ...answers: readonly Answer[]): Setup {
  return setUpWith({}, cached, ...answers)
}

function setUpWith(
  options: Partial<FetchSecretOptions>,
  cached: () => unknown,
  ...answers: readonly Answer[]
): Setup {
  const get = vi.fn<(key: string) => unknown>(cached)
  const set = vi.fn<(key: string, value: CachedSecret) => unknown>()
  const cache = { get, set } as unknown as SecretCache
  return { ...createTestSource({ maxAgeSeconds: 60, cache, ...options }, ...answers), get, set }
}

/** A cache in memory, in place of Redis. */
class MemoryCache implements SecretCache {
  readonly values = new Map<string, CachedSecret>()
  get(key: string) {
    return Promise.resolve(this.values.get(key))
  }
  set(key: string, value: CachedSecret) {
    return Promise.resolve(this.values.set(key, value))
  }
}

const key = expect.stringMatching(/^service-signature:secret:[0-9a-f]{16}$/) as string

describe('a shared cache', () => {
  it('is asked before the service, and gets the secret of the service', async () => {
    const { source, service, get, set } = setUp(() => undefined, secretAnswer())
    await expect(Promise.all([source.get(), source.get()])).resolves.toEqual([SECRET, SECRET])
    await source.get()
    await source.prime()
    expect(get).toHaveBeenCalledExactlyOnceWith(key)
    expect(set).toHaveBeenCalledExactlyOnceWith(key, { secret: SECRET, fetchedAt: START })
    expect(service.requests).toHaveLength(1)
    expect(source.lastError).toBeUndefined()
  })

  it('saves the call of the service if it has a fresh secret', async () => {
    const cached = { secret: SECRET, fetchedAt: START - 60_000 }
    const { source, service, set } = setUp(() => Promise.resolve(cached), status(500))
    await source.prime()
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.cachedAt).toBe(START - 60_000)
    expect(source.fetchCount).toBe(0)
    expect(set).not.toHaveBeenCalled()
    expect(service.requests).toHaveLength(0)
  })

  it('is not asked while there is an old secret that may be used: the service is', async () => {
    const { source, service, get, pass } = setUp(() => undefined, secretAnswer(), secretAnswer(NEW_SECRET))
    await source.get()
    get.mockImplementation(hang)
    pass(61)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(get).toHaveBeenCalledOnce()
    expect(service.requests).toHaveLength(2)
  })

  it('is asked again when the old secret may no longer be used, because another instance may have a new one', async () => {
    let cached: unknown = undefined
    const options = { staleSeconds: 10 }
    const { source, service, pass } = setUpWith(options, () => cached, secretAnswer(), status(500))
    await source.get()
    pass(71)
    cached = { secret: NEW_SECRET, fetchedAt: START + 30_000 }
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(1)
  })

  it.each([0, 1])(
    'does not replace a secret that is newer by %d s, however late it answers',
    async (seconds) => {
      holdTimeouts()
      const answers: ((value: CachedSecret | undefined) => void)[] = []
      const late = () => new Promise((resolve) => answers.push(resolve))
      const options = { timeoutSeconds: 5 }
      const { source, service, pass } = setUpWith(options, late, secretAnswer(NEW_SECRET))
      const first = source.get()
      await expect.poll(() => answers.length === 1).toBe(true)
      pass(10)
      const second = source.get()
      await expect.poll(() => answers.length === 2).toBe(true)
      answers[1]!(undefined)
      await expect(second).resolves.toBe(NEW_SECRET)
      answers[0]!({ secret: SECRET, fetchedAt: START + 10_000 - seconds * 1000 })
      await expect(first).resolves.toBe(NEW_SECRET)
      expect(service.requests).toHaveLength(1)
    },
  )

  it('is not used if its secret is too old and the service answers', async () => {
    const cached = { secret: SECRET, fetchedAt: START - 3_600_000 }
    const { source, set } = setUp(() => cached, secretAnswer(NEW_SECRET))
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(set).toHaveBeenCalledExactlyOnceWith(key, { secret: NEW_SECRET, fetchedAt: START })
  })

  it.each([undefined, null])('is empty if it answers %s', async (nothing) => {
    const { source } = setUp(() => nothing, secretAnswer())
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.lastError).toBeUndefined()
  })

  it('provides an old secret while the service is down', async () => {
    const cached = { secret: SECRET, fetchedAt: START - 3_600_000 }
    const { source, service } = setUp(() => cached, status(500))
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.lastError?.message).toContain('HTTP 500')
    expect(service.requests).toHaveLength(1)
  })

  it('does not provide a secret that is older than maxAgeSeconds and staleSeconds', async () => {
    const cached = { secret: SECRET, fetchedAt: START - (60 + 86_400) * 1000 - 1 }
    const { source } = setUp(() => cached, status(500))
    expect((await refusalOf(source.get())).message).toContain('HTTP 500')
  })

  it('is not asked by refresh, because it would answer with the secret that does not match', async () => {
    const cached = { secret: SECRET, fetchedAt: START }
    const { source, service, get, set } = setUp(() => cached, secretAnswer(NEW_SECRET))
    await source.get()
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
    expect(get).toHaveBeenCalledOnce()
    expect(set).toHaveBeenCalledExactlyOnceWith(key, { secret: NEW_SECRET, fetchedAt: START })
    expect(service.requests).toHaveLength(1)
  })

  it('does not make a secret younger by a clock that is ahead', async () => {
    const cached = { secret: SECRET, fetchedAt: START + 3_600_000 }
    const { source, pass } = setUp(() => cached, secretAnswer(NEW_SECRET))
    await source.get()
    expect(source.cachedAt).toBe(START)
    pass(61)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
  })

  it('cannot change the secret of a source', async () => {
    const { source, set } = setUp(() => null, secretAnswer())
    set.mockImplementation((_, value) => Object.assign(value, { secret: 'another', fetchedAt: 0 }))
    await source.get()
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.cachedAt).toBe(START)
  })

  it('is called with its own this', async () => {
    const cache = new MemoryCache()
    const first = createTestSource({ cache }, secretAnswer())
    const second = createTestSource({ cache }, status(500))
    await first.source.get()
    await expect(second.source.get()).resolves.toBe(SECRET)
    expect(second.service.requests).toHaveLength(0)
    expect([first.source.lastError, second.source.lastError]).toEqual([undefined, undefined])
  })

  it('ends with the source', async () => {
    const { source, service } = setUp(hang, secretAnswer())
    const waiting = refusalOf(source.get())
    source.close()
    expect((await waiting).message).toContain('The secret source is closed')
    expect(service.requests).toHaveLength(0)
  })
})

describe('a source that is closed while a shared cache answers', () => {
  it('keeps nothing of the answer, at whatever moment it is closed', async () => {
    let resolved = 0
    const moments = 30
    for (let moment = 0; moment < moments; moment++) {
      const { source } = setUp(() => {
        void closeAfter(moment)
        return Promise.resolve({ secret: SECRET, fetchedAt: START })
      }, status(500))
      const closeAfter = async (ticks: number) => {
        for (let i = 0; i < ticks; i++) await Promise.resolve()
        source.close()
      }
      if ((await source.get().catch(() => undefined)) === SECRET) resolved++
      await settled()
      expect(source.cachedAt).toBeUndefined()
    }
    expect(resolved).toBeGreaterThan(0)
    expect(resolved).toBeLessThan(moments)
  })
})

describe('the keys of a shared cache', () => {
  const organization = { organizationKey: 'org_key', accountId: 'acc_1', live: true }

  it('are another one for each account, so that one cache serves several accounts', async () => {
    const cache = new MemoryCache()
    const accounts: Partial<FetchSecretOptions>[] = [
      {},
      { apiKey: 'key_of_another_account' },
      { baseUrl: 'https://other.example.com' },
      { apiKey: organization },
      { apiKey: { ...organization, accountId: 'acc_2' } },
      { apiKey: { ...organization, live: false } },
    ]
    const secrets = accounts.map((_, index) => `secret_of_account_${index}`)
    for (const [index, options] of accounts.entries()) {
      const { source } = createTestSource({ ...options, cache }, secretAnswer(secrets[index]))
      await expect(source.get()).resolves.toBe(secrets[index])
    }
    expect(cache.values.size).toBe(accounts.length)
    for (const [index, options] of accounts.entries()) {
      const { source } = createTestSource({ ...options, cache }, status(500))
      await expect(source.get()).resolves.toBe(secrets[index])
    }
  })

  it('hold a fingerprint of the address and the API key, and neither of them', async () => {
    const address = 'https://api.example.com/api/v1/organizations/get-webhook-signature-key/'
    // So many that some hash has a byte with a leading zero.
    for (let account = 0; account < 50; account++) {
      const cache = new MemoryCache()
      const apiKey = `${API_KEY}_${account}`
      await createTestSource({ cache, apiKey }, secretAnswer()).source.get()
      const hash = createHash('sha256').update(`${address}\n${apiKey}`).digest('hex')
      expect([...cache.values.keys()]).toEqual([`service-signature:secret:${hash.slice(0, 16)}`])
    }
  })
})

describe('a shared cache that is broken', () => {
  const quoting = Object.assign(new Error(`WRONGTYPE ${SECRET}`), { command: ['SET', SECRET] })
  const ignored = 'The shared cache did not answer with { secret, fetchedAt }, so the answer is ignored.'

  it.each<[fault: string, get: () => unknown, message: string]>([
    ['throws an error', throwing(quoting), 'The shared cache failed (Error).'],
    ['throws a string', throwing(SECRET), 'The shared cache failed (string).'],
    ['throws undefined', throwing(undefined), 'The shared cache failed (undefined).'],
    ['rejects', () => Promise.reject(quoting), 'The shared cache failed (Error).'],
    [
      'rejects with a code',
      () => Promise.reject(Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' })),
      'The shared cache failed (ECONNREFUSED).',
    ],
    ['parses something that is not JSON', () => JSON.parse(SECRET) as unknown, 'failed (SyntaxError)'],
    ['answers with the bare secret', () => SECRET, ignored],
    ['answers without a time', () => ({ secret: SECRET }), ignored],
    ['answers with a time of NaN', () => ({ secret: SECRET, fetchedAt: NaN }), ignored],
    ['answers with a Date', () => ({ secret: SECRET, fetchedAt: new Date() }), ignored],
    ['answers without a secret', () => ({ fetchedAt: START }), ignored],
    ['answers with an empty secret', () => ({ secret: '', fetchedAt: START }), ignored],
    ['answers with a space in the secret', () => ({ secret: `${SECRET} `, fetchedAt: START }), ignored],
    ['answers with a list', () => ({ secret: [SECRET, SECRET], fetchedAt: START }), ignored],
  ])('because it %s is treated as empty, with the reason in lastError', async (_, get, message) => {
    const { source, service, set } = setUp(get, secretAnswer(NEW_SECRET))
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(1)
    expect(set).toHaveBeenCalledOnce()
    expect(source.lastError?.message).toContain(message)
    expect(source.lastError?.name).toBe('SecretFetchError')
    expectNoKeys(source.lastError)
    expectNoKeys(source)
  })

  it.each<[fault: string, set: () => unknown]>([
    ['throws', throwing(quoting)],
    ['rejects', () => Promise.reject(quoting)],
  ])('because its set %s does not keep the secret from callers', async (_, set) => {
    const test = setUp(() => undefined, secretAnswer())
    test.set.mockImplementation(set)
    await expect(test.source.get()).resolves.toBe(SECRET)
    await expect(test.source.get()).resolves.toBe(SECRET)
    expect(test.source.lastError?.message).toBe('The shared cache failed (Error).')
    expectNoKeys(test.source)
  })

  it.each([
    [5, 1],
    [0.5, 0.5],
  ])(
    'because its get hangs is treated as empty, with timeoutSeconds %d after %d s',
    async (timeoutSeconds, seconds) => {
      const timeouts = holdTimeouts()
      const { source, set } = setUpWith({ timeoutSeconds }, hang, secretAnswer())
      const secret = source.get()
      const timeout = await timeouts.next()
      expect(timeout.milliseconds).toBe(seconds * 1000)
      timeout.elapse()
      await expect(secret).resolves.toBe(SECRET)
      await expect.poll(() => set.mock.calls.length === 1).toBe(true)
      expect(source.lastError?.message).toBe(
        `The shared cache did not answer within ${seconds} s, so it was skipped.`,
      )
    },
  )

  it('because its set hangs delays no caller, and lastError has the reason after a second', async () => {
    const timeouts = holdTimeouts()
    const { source, set } = setUp(() => undefined, secretAnswer())
    set.mockImplementation(hang)
    // No time-out elapses here.
    await expect(Promise.all([source.get(), source.prime()])).resolves.toEqual([SECRET, undefined])
    await expect.poll(() => set.mock.calls.length === 1).toBe(true)
    const held = [await timeouts.next(), await timeouts.next(), await timeouts.next()]
    expect(held.map(({ milliseconds }) => milliseconds)).toEqual([1000, 5000, 1000])
    expect(source.lastError).toBeUndefined()
    held[2]!.elapse()
    await settled()
    expect(source.lastError?.message).toBe('The shared cache did not answer within 1 s, so it was skipped.')
    await expect(source.get()).resolves.toBe(SECRET)
  })

  it('and hangs delays no caller while the secret is known', async () => {
    holdTimeouts()
    const { source, service, get, set, pass } = setUp(() => undefined, secretAnswer())
    await source.get()
    get.mockImplementation(hang)
    set.mockImplementation(hang)
    await expect(source.get()).resolves.toBe(SECRET)
    service.answerWith(secretAnswer(NEW_SECRET))
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
    pass(61)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(3)
  })

  it('does not hide the failure of the service', async () => {
    const { source } = setUp(throwing(quoting), status(401))
    const error = await refusalOf(source.get())
    expect(error.message).toContain('HTTP 401')
    expect(source.lastError).toBe(error)
  })

  it('is no longer in lastError once it works', async () => {
    let cached: () => unknown = throwing(quoting)
    const { source, pass } = setUp(() => cached(), secretAnswer())
    await source.get()
    expect(source.lastError).toBeDefined()
    cached = () => undefined
    pass(61)
    await source.get()
    expect(source.lastError).toBeUndefined()
  })
})

function throwing(error: unknown): () => never {
  return () => {
    throw error
  }
}
