import { describe, expect, it, vi } from 'vitest'
import {
  hang,
  NEW_SECRET,
  SECRET,
  secretAnswer,
  startPaymentService,
  status,
  type Answer,
  type PaymentService,
} from './support/payment-service.js'
import { createTestSource, refusalOf, type TestSource } from './support/source.js'
import type { CachedSecret, FetchFunction, FetchSecretOptions } from '../../src/secrets/fetched/options.js'

const YEAR = 365 * 86_400

/** A source that has fetched SECRET; then the service does something else. */
async function primed(
  options: Partial<FetchSecretOptions>,
  ...then: readonly Answer[]
): Promise<TestSource & { service: PaymentService }> {
  const service = await startPaymentService(secretAnswer())
  const test = createTestSource({ baseUrl: service.baseUrl, retries: 0, ...options })
  await test.source.prime()
  expect(service.requests).toHaveLength(1)
  service.answerWith(...then)
  return { ...test, service }
}

/** Calls in the background have no result to wait for: they show in what a source says of itself. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

describe('get', () => {
  it('of a thousand at once, with nothing cached, calls the service once', async () => {
    const service = await startPaymentService(secretAnswer())
    const { source, now } = createTestSource({ baseUrl: service.baseUrl })
    const secrets = await Promise.all(Array.from({ length: 1000 }, () => source.get()))
    expect(new Set(secrets)).toEqual(new Set([SECRET]))
    expect(service.requests).toHaveLength(1)
    expect(source.cachedAt).toBe(now())
    expect(source.lastError).toBeUndefined()
  })

  it('of a thousand at once calls the service once too when it fails, and all are told', async () => {
    const service = await startPaymentService(status(401))
    const { source } = createTestSource({ baseUrl: service.baseUrl })
    const errors = await Promise.all(Array.from({ length: 1000 }, () => refusalOf(source.get())))
    expect(new Set(errors)).toEqual(new Set([source.lastError]))
    expect(service.requests).toHaveLength(1)
  })

  it('calls the service no more once it has the secret, since that does not change (S4.2)', async () => {
    const { source, service, pass } = await primed({})
    pass(YEAR)
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
  })

  it('fetches anew what is older than maxAgeSeconds, and waits for it', async () => {
    const { source, service, pass, now } = await primed({ maxAgeSeconds: 60 }, secretAnswer(NEW_SECRET))
    pass(60)
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
    pass(0.001)
    await expect(Promise.all([source.get(), source.get()])).resolves.toEqual([NEW_SECRET, NEW_SECRET])
    expect(service.requests).toHaveLength(2)
    expect(source.cachedAt).toBe(now())
  })

  it('gives the old secret while the service is down, for staleSeconds', async () => {
    const { source, service, pass } = await primed({ maxAgeSeconds: 60, staleSeconds: 100 }, status(500))
    pass(61)
    // The first waits for the call; those that come in the cooldown do not.
    await expect(Promise.all([source.get(), source.get()])).resolves.toEqual([SECRET, SECRET])
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
    expect(source.lastError?.message).toContain('HTTP 500')

    pass(99)
    await expect(source.get()).resolves.toBe(SECRET)
    await service.nextRequest().then(service.nextRequest).then(service.nextRequest)
    pass(0.001)
    expect((await refusalOf(source.get())).message).toContain('HTTP 500')
    expect(source.cachedAt).toBeDefined()
  })

  it('gives the old secret for a day by default, and not at all with staleSeconds of 0', async () => {
    const day = await primed({ maxAgeSeconds: 60 }, status(401))
    day.pass(60 + 86_400)
    await expect(day.source.get()).resolves.toBe(SECRET)
    const none = await primed({ maxAgeSeconds: 60, staleSeconds: 0 }, status(401))
    none.pass(60.001)
    expect((await refusalOf(none.source.get())).message).toContain('HTTP 401')
  })

  it('asks a service that was down in the background, and nobody waits for it', async () => {
    const { source, service, pass, now } = await primed({ maxAgeSeconds: 60 }, status(500))
    pass(61)
    await source.get()
    pass(10)
    service.answerWith(hang)
    // The call is in flight and gets no answer, and yet:
    for (let i = 0; i < 3; i++) await expect(source.get()).resolves.toBe(SECRET)
    for (let i = 0; i < 3; i++) await service.nextRequest()
    expect(service.requests).toHaveLength(3)
    source.close()

    const next = await primed({ maxAgeSeconds: 60 }, status(500), secretAnswer(NEW_SECRET))
    next.pass(61)
    await next.source.get()
    next.pass(10)
    await expect(next.source.get()).resolves.toBe(SECRET)
    await until(() => next.source.lastError === undefined)
    await expect(next.source.get()).resolves.toBe(NEW_SECRET)
    expect(next.source.cachedAt).toBe(now())
    expect(next.service.requests).toHaveLength(3)

    // Now it is up again, and what expires next is waited for.
    next.service.answerWith(secretAnswer())
    next.pass(61)
    await expect(next.source.get()).resolves.toBe(SECRET)
  })

  it('asks anew after the cooldown, and not before', async () => {
    const service = await startPaymentService(status(401), secretAnswer())
    const { source, pass } = createTestSource({ baseUrl: service.baseUrl })
    const error = await refusalOf(source.get())
    pass(9.5)
    expect(await refusalOf(source.get())).toMatchObject({ cause: error, retryAfterSeconds: 1 })
    expect(source.lastError).toBe(error)
    expect(service.requests).toHaveLength(1)
    pass(0.5)
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.lastError).toBeUndefined()
  })

  it('is not kept from asking by a clock that was set back', async () => {
    const service = await startPaymentService(status(401), secretAnswer())
    const { source, pass } = createTestSource({ baseUrl: service.baseUrl, maxAgeSeconds: 60 })
    await refusalOf(source.get())
    pass(-3600)
    await expect(source.get()).resolves.toBe(SECRET)
    pass(-3600)
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
  })
})

describe('a late answer', () => {
  /** A fetch that takes no notice of its signal, as one on an edge runtime whose request has ended. */
  function deafFetch(): { fetch: FetchFunction; answers: ((secret: string | Error) => void)[] } {
    const answers: ((secret: string | Error) => void)[] = []
    const fetch: FetchFunction = () =>
      new Promise((resolve, reject) => {
        answers.push((secret) => {
          if (typeof secret !== 'string') reject(secret)
          const data = { webhook_signature_secret: secret }
          resolve(new Response(JSON.stringify({ status: { code: 200 }, data })))
        })
      })
    return { fetch, answers }
  }

  it('does not replace a newer one, and whoever waited for it is given the newer', async () => {
    const { fetch, answers } = deafFetch()
    const set = vi.fn()
    const { source, pass, now } = createTestSource({ fetch, cache: { get: () => null, set } })
    const first = source.get()
    await until(() => answers.length === 1)
    // 3 attempts and the shared cache, asked twice, at 5 s, and 2 pauses of 3 s at the most.
    pass(31)
    const second = source.get()
    await new Promise((resolve) => setImmediate(resolve))
    expect(answers).toHaveLength(1)
    pass(0.001)
    const third = source.get()
    await until(() => answers.length === 2)

    answers[1]!(NEW_SECRET)
    await expect(third).resolves.toBe(NEW_SECRET)
    const cachedAt = now()
    pass(1)
    answers[0]!(SECRET)
    await expect(Promise.all([first, second])).resolves.toEqual([NEW_SECRET, NEW_SECRET])
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(source.cachedAt).toBe(cachedAt)
    expect(set).toHaveBeenCalledExactlyOnceWith({ secret: NEW_SECRET, fetchedAt: cachedAt })
  })

  it('does not replace what a newer call found in the shared cache', async () => {
    const { fetch, answers } = deafFetch()
    const shared: CachedSecret[] = []
    const cache = { get: () => shared[0], set: () => undefined }
    const { source, pass, now } = createTestSource({ fetch, cache })
    const first = source.get()
    await until(() => answers.length === 1)
    pass(32)
    shared.push({ secret: NEW_SECRET, fetchedAt: now() })
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    pass(1)
    answers[0]!(SECRET)
    await expect(first).resolves.toBe(NEW_SECRET)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(answers).toHaveLength(1)
  })

  it('is taken as long as there is no newer one', async () => {
    const { fetch, answers } = deafFetch()
    const { source, pass } = createTestSource({ fetch })
    const first = source.get()
    await until(() => answers.length === 1)
    pass(32)
    const second = source.get()
    await until(() => answers.length === 2)
    answers[0]!(SECRET)
    await expect(first).resolves.toBe(SECRET)
    await expect(source.get()).resolves.toBe(SECRET)
    answers[1]!(NEW_SECRET)
    await expect(second).resolves.toBe(NEW_SECRET)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
  })

  it('does no harm behind a newer one that is done with', async () => {
    const { fetch, answers } = deafFetch()
    const { source, pass } = createTestSource({ fetch })
    const first = source.prime()
    await until(() => answers.length === 1)
    pass(32)
    const second = source.prime()
    await until(() => answers.length === 2)
    answers[1]!(NEW_SECRET)
    await second
    answers[0]!(SECRET)
    await first
    expect(source.lastError).toBeUndefined()
  })

  it('that is a failure says nothing of the newer call', async () => {
    const { fetch, answers } = deafFetch()
    const { source, pass } = createTestSource({ fetch, retries: 0 })
    const first = source.get()
    await until(() => answers.length === 1)
    pass(32)
    const second = source.get()
    await until(() => answers.length === 2)
    answers[0]!(new Error('the network is gone'))
    expect((await refusalOf(first)).message).toContain('the network is gone')
    expect(source.lastError).toBeUndefined()
    const third = source.get()
    answers[1]!(NEW_SECRET)
    await expect(Promise.all([second, third])).resolves.toEqual([NEW_SECRET, NEW_SECRET])
    expect(answers).toHaveLength(2)
  })

  it('to an attempt that is over is not read', async () => {
    const { fetch, answers } = deafFetch()
    const { source } = createTestSource({ fetch, retries: 1, timeoutSeconds: 0.01 })
    expect((await refusalOf(source.get())).message).toContain('did not answer within 0.01 s')
    for (const answer of answers) answer(SECRET)
    await new Promise((resolve) => setImmediate(resolve))
    expect(source.cachedAt).toBeUndefined()
  })
})

describe('refresh', () => {
  it('gives the new secret after a rotation', async () => {
    const { source, service } = await primed({}, secretAnswer(NEW_SECRET))
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(2)
  })

  it('asks the service once however many ask, and all are given the new secret', async () => {
    const { source, service } = await primed({}, secretAnswer(NEW_SECRET))
    const secrets = await Promise.all(Array.from({ length: 1000 }, () => source.refresh()))
    expect(new Set(secrets)).toEqual(new Set([NEW_SECRET]))
    expect(service.requests).toHaveLength(2)
  })

  it('asks the service no more often than every refreshCooldownSeconds', async () => {
    const { source, service, pass } = await primed({}, secretAnswer())
    for (let second = 0; second < 600; second++) {
      await expect(source.refresh()).resolves.toBe(SECRET)
      pass(1)
    }
    expect(service.requests).toHaveLength(3)

    const often = await primed({ refreshCooldownSeconds: 2 }, secretAnswer())
    for (let second = 0; second < 10; second++) {
      await often.source.refresh()
      often.pass(1)
    }
    expect(often.service.requests).toHaveLength(6)
  })

  it('gives the secret that is there when it fails, and says why in lastError', async () => {
    const { source, service, pass } = await primed({ refreshCooldownSeconds: 1 }, status(500))
    await expect(source.refresh()).resolves.toBe(SECRET)
    expect(source.lastError?.message).toContain('HTTP 500')
    expect(service.requests).toHaveLength(2)
    // The cooldown after a failure counts here too.
    pass(9)
    await expect(source.refresh()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
    pass(1)
    await expect(source.refresh()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(3)
  })

  it('fails, or not, as get does where there is no secret', async () => {
    const service = await startPaymentService(status(401), secretAnswer())
    const { source, pass } = createTestSource({ baseUrl: service.baseUrl })
    expect((await refusalOf(source.refresh())).message).toContain('HTTP 401')
    pass(10)
    await expect(source.refresh()).resolves.toBe(SECRET)
    // That was no refresh, so one may follow.
    service.answerWith(secretAnswer(NEW_SECRET))
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
  })

  it('waits for the call that is in flight anyway', async () => {
    const { source, service, pass } = await primed({ maxAgeSeconds: 60 }, secretAnswer(NEW_SECRET))
    pass(61)
    const answers = await Promise.all([source.get(), source.refresh(), source.prime()])
    expect(answers).toEqual([NEW_SECRET, NEW_SECRET, undefined])
    expect(service.requests).toHaveLength(2)
  })
})

describe('prime', () => {
  it('fetches the secret, so that the first delivery need not wait', async () => {
    const { source, service } = await primed({})
    await source.prime()
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
  })

  it('is refused when the service does not give it, so that a server can refuse to start', async () => {
    const service = await startPaymentService(status(401))
    const { source } = createTestSource({ baseUrl: service.baseUrl })
    const error = await refusalOf(source.prime())
    expect(error.message).toContain('The API key is wrong or revoked')
    expect((await refusalOf(source.prime())).cause).toBe(error)
    expect(service.requests).toHaveLength(1)
  })

  it('is not content with an old secret', async () => {
    const { source, service, pass } = await primed({ maxAgeSeconds: 60 }, status(500))
    pass(61)
    expect((await refusalOf(source.prime())).message).toContain('HTTP 500')
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
  })
})
