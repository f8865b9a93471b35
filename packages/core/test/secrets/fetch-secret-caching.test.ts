import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  broken,
  createPrimedSource,
  createTestSource,
  hang,
  held,
  NEW_SECRET,
  refusalOf,
  SECRET,
  secretAnswer,
  settled,
  status,
  type TestSource,
} from './support/service.js'

const YEAR = 365 * 86_400

describe('get', () => {
  it('calls the service once for a thousand callers at once', async () => {
    const { source, service, now } = createTestSource({}, secretAnswer())
    expect(source.fetchCount).toBe(0)
    const secrets = await Promise.all(Array.from({ length: 1000 }, () => source.get()))
    expect(new Set(secrets)).toEqual(new Set([SECRET]))
    expect(service.requests).toHaveLength(1)
    expect(source.cachedAt).toBe(now())
    expect(source.fetchCount).toBe(1)
    expect(source.lastError).toBeUndefined()
  })

  it('calls the service once for a thousand callers at once if it fails, and refuses all of them', async () => {
    const { source, service } = createTestSource({}, status(401))
    const errors = await Promise.all(Array.from({ length: 1000 }, () => refusalOf(source.get())))
    expect(new Set(errors)).toEqual(new Set([source.lastError]))
    expect(service.requests).toHaveLength(1)
    expect(source.fetchCount).toBe(0)
  })

  it('makes one request in a call, also when it fails', async () => {
    const { source, service } = createTestSource({}, broken(), secretAnswer())
    expect((await refusalOf(source.get())).message).toContain('the network is gone')
    expect(service.requests).toHaveLength(1)
  })

  it('does not call the service again by default, however old the secret is', async () => {
    const { source, service, pass } = await createPrimedSource({})
    pass(YEAR)
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
  })

  it('fetches a secret again that is older than maxAgeSeconds, and waits for it', async () => {
    const { source, service, pass, now } = await createPrimedSource(
      { maxAgeSeconds: 60 },
      secretAnswer(NEW_SECRET),
    )
    pass(60)
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
    pass(0.001)
    await expect(Promise.all([source.get(), source.get()])).resolves.toEqual([NEW_SECRET, NEW_SECRET])
    expect(service.requests).toHaveLength(2)
    expect(source.cachedAt).toBe(now())
  })

  it('keeps the old secret in use for staleSeconds while the service is down', async () => {
    const { source, service, pass } = await createPrimedSource(
      { maxAgeSeconds: 60, staleSeconds: 100 },
      status(500),
    )
    pass(61)
    // The first caller waits for the call; those in the cooldown do not.
    await expect(Promise.all([source.get(), source.get()])).resolves.toEqual([SECRET, SECRET])
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
    expect(source.lastError?.message).toContain('HTTP 500')
    pass(99)
    await expect(source.get()).resolves.toBe(SECRET)
    await settled()
    pass(0.001)
    expect((await refusalOf(source.get())).message).toContain('HTTP 500')
    expect(source.cachedAt).toBeDefined()
  })

  it('keeps the old secret in use for a day by default', async () => {
    const { source, pass } = await createPrimedSource({ maxAgeSeconds: 60 }, status(401))
    pass(60 + 86_400)
    await expect(source.get()).resolves.toBe(SECRET)
    pass(0.001)
    await refusalOf(source.get())
  })

  it('does not use an old secret at all with staleSeconds of 0', async () => {
    const { source, pass } = await createPrimedSource({ maxAgeSeconds: 60, staleSeconds: 0 }, status(401))
    pass(60.001)
    expect((await refusalOf(source.get())).message).toContain('HTTP 401')
  })

  it('does not wait for a service that was down before if there is an old secret', async () => {
    const { source, service, pass } = await createPrimedSource({ maxAgeSeconds: 60 }, status(500), hang)
    pass(61)
    await source.get()
    pass(1)
    for (let i = 0; i < 3; i++) await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(3)
  })

  it('takes the new secret of a call in the background, and waits again for a service that is up', async () => {
    const { source, service, pass, now } = await createPrimedSource(
      { maxAgeSeconds: 60 },
      status(500),
      secretAnswer(NEW_SECRET),
      secretAnswer(),
    )
    pass(61)
    await source.get()
    pass(1)
    await expect(source.get()).resolves.toBe(SECRET)
    await settled()
    expect(source.lastError).toBeUndefined()
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(source.cachedAt).toBe(now())
    expect(service.requests).toHaveLength(3)
    pass(61)
    await expect(source.get()).resolves.toBe(SECRET)
  })

  it('is not kept from calling by a clock that was set back', async () => {
    const { source, service, pass } = createTestSource({ maxAgeSeconds: 60 }, status(401), secretAnswer())
    await refusalOf(source.get())
    pass(-3600)
    await expect(source.get()).resolves.toBe(SECRET)
    pass(-3600)
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
  })

  it('makes a new call if one takes longer than all its time-outs, as on a runtime that has ended it', async () => {
    const first = held()
    const second = held()
    const { source, service, pass } = createTestSource({ timeoutSeconds: 7 }, first.answer, second.answer)
    const waiting = [source.get()]
    pass(13.999)
    waiting.push(source.get())
    await settled()
    expect(service.requests).toHaveLength(1)
    pass(0.001)
    waiting.push(source.get())
    await settled()
    expect(service.requests).toHaveLength(2)
    second.give(secretAnswer(NEW_SECRET))
    await expect(waiting[2]).resolves.toBe(NEW_SECRET)
    first.give(secretAnswer())
    await expect(Promise.all(waiting)).resolves.toEqual([SECRET, SECRET, NEW_SECRET])
  })
})

describe('the cooldown after a failed call', () => {
  it('is doubled by each failure from 1 s up to 60 s, and a success resets it', async () => {
    const { source, service, pass } = createTestSource({ maxAgeSeconds: 0.5, staleSeconds: 0 }, status(500))
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const calls = service.requests.length
      const error = await refusalOf(source.get())
      expect(error.retryAfterSeconds).toBe(seconds)
      pass(seconds - 0.5)
      expect(await refusalOf(source.get())).toMatchObject({ cause: error, retryAfterSeconds: 1 })
      expect(service.requests).toHaveLength(calls + 1)
      pass(0.5)
    }
    service.answerWith(secretAnswer(), status(500))
    await expect(source.get()).resolves.toBe(SECRET)
    expect(source.lastError).toBeUndefined()
    pass(1)
    expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds: 1 })
  })

  it.each([401, 403, 404])('is 300 s after HTTP %d, with which the service refuses the key', async (code) => {
    const { source, service, pass } = createTestSource({}, status(code), secretAnswer())
    const error = await refusalOf(source.get())
    expect(error).toMatchObject({ retryAfterSeconds: 300, retryable: false })
    pass(299.5)
    const again = await refusalOf(source.get())
    expect(again).toMatchObject({ cause: error, retryAfterSeconds: 1, retryable: false })
    expect(again.message).toBe(
      `The last call failed, and the next is made in 1 s at the earliest. ${error.message}`,
    )
    expect(source.lastError).toBe(error)
    expect(service.requests).toHaveLength(1)
    pass(0.5)
    await expect(source.get()).resolves.toBe(SECRET)
  })

  it.each([
    [503, true],
    [418, false],
  ])('after HTTP %d is reported with the time that is left, and retryable: %s', async (code, retryable) => {
    const { source, pass } = createTestSource({}, status(code, { 'Retry-After': '10' }))
    const error = await refusalOf(source.get())
    expect(error).toMatchObject({ retryAfterSeconds: 10, retryable })
    pass(2.5)
    expect(await refusalOf(source.get())).toMatchObject({ cause: error, retryAfterSeconds: 8, retryable })
  })

  it('is 300 s after a 401 inside of an HTTP 200', async () => {
    const { source } = createTestSource({}, () => Response.json({ status: { code: 401 } }))
    expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds: 300 })
  })

  it.each([
    ['0', 1],
    ['2', 2],
    ['60', 60],
    ['301', 300],
    ['9'.repeat(400), 300],
    ['Thu, 27 Mar 2025 15:43:20 GMT', 120],
    ['Thu, 27 Mar 2025 15:41:00 GMT', 1],
    ['soon', 1],
    ['-5', 1],
    ['5 seconds', 1],
    ['not GMT', 1],
    ['Thu, 27 Mar 2025 15:43:20 UTC', 1],
  ])('follows a Retry-After of %s', async (header, retryAfterSeconds) => {
    for (const code of [429, 503]) {
      const { source, service, pass } = createTestSource(
        {},
        status(code, { 'Retry-After': header }),
        secretAnswer(),
      )
      expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds })
      pass(retryAfterSeconds - 0.5)
      expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds: 1 })
      expect(service.requests).toHaveLength(1)
      pass(0.5)
      await expect(source.get()).resolves.toBe(SECRET)
    }
  })

  it('rounds a Retry-After with a date up to whole seconds', async () => {
    const { source, pass } = createTestSource(
      {},
      status(503, { 'Retry-After': 'Thu, 27 Mar 2025 15:43:20 GMT' }),
    )
    pass(0.4)
    expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds: 120 })
  })

  it('is not shortened by a Retry-After', async () => {
    const { source, pass } = createTestSource(
      {},
      status(500),
      status(500, { 'Retry-After': '1' }),
      status(401, { 'Retry-After': '1' }),
    )
    expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds: 1 })
    pass(1)
    expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds: 2 })
    pass(2)
    expect(await refusalOf(source.get())).toMatchObject({ retryAfterSeconds: 300 })
  })
})

describe('refresh', () => {
  it('returns the new secret after a rotation', async () => {
    const { source, service } = await createPrimedSource({}, secretAnswer(NEW_SECRET))
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
    await expect(source.get()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(2)
    expect(source.fetchCount).toBe(2)
  })

  it('calls the service once for a thousand callers, and all get the new secret', async () => {
    const { source, service } = await createPrimedSource({}, secretAnswer(NEW_SECRET))
    const secrets = await Promise.all(Array.from({ length: 1000 }, () => source.refresh()))
    expect(new Set(secrets)).toEqual(new Set([NEW_SECRET]))
    expect(service.requests).toHaveLength(2)
  })

  /** The seconds at which the service was called, when a secret does not match in each of these seconds. */
  async function refreshesIn(seconds: number, { source, service, pass }: TestSource): Promise<number[]> {
    const calls: number[] = []
    for (let second = 0; second < seconds; second++) {
      const before = service.requests.length
      await source.refresh()
      if (service.requests.length > before) calls.push(second)
      pass(1)
    }
    return calls
  }

  it('calls the service after 15 s, and then after twice as long each time, up to 60 s', async () => {
    const test = await createPrimedSource({}, secretAnswer())
    expect(await refreshesIn(400, test)).toEqual([0, 15, 45, 105, 165, 225, 285, 345])
  })

  it('doubles the wait up to refreshCooldownSeconds', async () => {
    const test = await createPrimedSource({ refreshCooldownSeconds: 100 }, secretAnswer())
    expect(await refreshesIn(400, test)).toEqual([0, 15, 45, 105, 205, 305])
  })

  it('waits for refreshCooldownSeconds each time if that is less than 15', async () => {
    const test = await createPrimedSource({ refreshCooldownSeconds: 2 }, secretAnswer())
    expect(await refreshesIn(10, test)).toEqual([0, 2, 4, 6, 8])
  })

  it('waits 15 s again after a refresh that changed the secret', async () => {
    const test = await createPrimedSource({}, secretAnswer())
    expect(await refreshesIn(100, test)).toEqual([0, 15, 45])
    test.service.answerWith(secretAnswer(NEW_SECRET))
    // 105 s after the first refresh, there is a new secret.
    expect(await refreshesIn(100, test)).toEqual([5, 20, 50])
    await expect(test.source.get()).resolves.toBe(NEW_SECRET)
  })

  it('waits 15 s again if nothing asked for it in the 60 s after a wait', async () => {
    const test = await createPrimedSource({}, secretAnswer())
    expect(await refreshesIn(46, test)).toEqual([0, 15, 45])
    // One second of the wait of 60 s is over. One second is missing to a minute without a mismatch after it.
    test.pass(59 + 59)
    expect(await refreshesIn(61, test)).toEqual([0, 60])
    test.pass(59 + 60)
    expect(await refreshesIn(16, test)).toEqual([0, 15])
  })

  it('is not kept from calling by a clock that was set back', async () => {
    const { source, service, pass } = await createPrimedSource({}, secretAnswer(), secretAnswer(NEW_SECRET))
    await expect(source.refresh()).resolves.toBe(SECRET)
    pass(-3600)
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
    expect(service.requests).toHaveLength(3)
  })

  it('waits after a failed call only as long as that call demands', async () => {
    const { source, service, pass } = await createPrimedSource({}, status(500), secretAnswer(NEW_SECRET))
    await expect(source.refresh()).resolves.toBe(SECRET)
    pass(0.9)
    await expect(source.refresh()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
    pass(0.1)
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
  })

  it('returns the cached secret if it fails, keeps the reason in lastError, and leaves the service alone', async () => {
    const { source, service, pass } = await createPrimedSource(
      { refreshCooldownSeconds: 1 },
      status(503, { 'Retry-After': '10' }),
    )
    await expect(source.refresh()).resolves.toBe(SECRET)
    expect(source.lastError?.message).toContain('HTTP 503')
    expect(service.requests).toHaveLength(2)
    pass(9)
    await expect(source.refresh()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
    pass(1)
    await expect(source.refresh()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(3)
  })

  it('does what get does if there is no secret', async () => {
    const { source, pass } = createTestSource({}, status(500), secretAnswer(), secretAnswer(NEW_SECRET))
    expect((await refusalOf(source.refresh())).message).toContain('HTTP 500')
    pass(1)
    await expect(source.refresh()).resolves.toBe(SECRET)
    // That was not a refresh, so one may follow.
    await expect(source.refresh()).resolves.toBe(NEW_SECRET)
  })

  it('waits for a call that is in flight instead of making another', async () => {
    const { source, service, pass } = await createPrimedSource(
      { maxAgeSeconds: 60 },
      secretAnswer(NEW_SECRET),
    )
    pass(61)
    const answers = await Promise.all([source.get(), source.refresh(), source.prime()])
    expect(answers).toEqual([NEW_SECRET, NEW_SECRET, undefined])
    expect(service.requests).toHaveLength(2)
  })
})

describe('prime', () => {
  it('fetches the secret, so that the first delivery does not wait', async () => {
    const { source, service } = await createPrimedSource({})
    await source.prime()
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
  })

  it('rejects if the service refuses, so that a server can refuse to start', async () => {
    const { source, service } = createTestSource({}, status(401))
    const error = await refusalOf(source.prime())
    expect(error.message).toContain('The API key is wrong or revoked')
    expect((await refusalOf(source.prime())).cause).toBe(error)
    expect(service.requests).toHaveLength(1)
  })

  it('rejects although there is an old secret', async () => {
    const { source, service, pass } = await createPrimedSource({ maxAgeSeconds: 60 }, status(500))
    pass(61)
    expect((await refusalOf(source.prime())).message).toContain('HTTP 500')
    await expect(source.get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(2)
  })
})

describe('a runtime without AbortSignal.any, as the edge runtime of Next.js', () => {
  it('fetches the secret', async () => {
    vi.stubGlobal('AbortSignal', { timeout: () => new AbortController().signal })
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    await expect(createTestSource({}, secretAnswer()).source.get()).resolves.toBe(SECRET)
  })
})

describe('a call that is over', () => {
  it('leaves no listener on a signal, so that a source does not grow with its calls', async () => {
    const listen = vi.spyOn(EventTarget.prototype, 'addEventListener')
    onTestFinished(() => {
      listen.mockRestore()
    })
    await createTestSource({}, secretAnswer()).source.get()
    const signals = listen.mock.contexts.filter((target) => target instanceof AbortSignal)
    expect(signals.length).toBeGreaterThan(1)
    for (const signal of signals) expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('close', () => {
  const closed = 'The secret source is closed: close() was called. Create a new one to continue.'

  it('refuses callers that wait, and aborts their request', async () => {
    const { source, service } = createTestSource({}, hang)
    const waiting = [source.get(), source.prime(), source.refresh()].map(refusalOf)
    await settled()
    const { signal } = service.requests[0]!.init
    expect(signal.aborted).toBe(false)
    source.close()
    for (const error of await Promise.all(waiting)) expect(error.message).toBe(closed)
    expect(signal.aborted).toBe(true)
    expect(service.requests).toHaveLength(1)
  })

  it('refuses later callers, and forgets the secret', async () => {
    const { source, service } = await createPrimedSource({})
    source.close()
    source.close()
    for (const call of [source.get(), source.prime(), source.refresh()]) {
      expect((await refusalOf(call)).message).toBe(closed)
    }
    expect(source.cachedAt).toBeUndefined()
    expect(service.requests).toHaveLength(1)
  })

  it('aborts a request in the background', async () => {
    const { source, service, pass } = await createPrimedSource({ maxAgeSeconds: 60 }, status(401), hang)
    pass(61)
    await source.get()
    pass(300)
    await expect(source.get()).resolves.toBe(SECRET)
    source.close()
    await settled()
    expect(service.requests[2]!.init.signal.aborted).toBe(true)
  })

  it('forgets the secret at whatever moment of a call it is called', async () => {
    const encoded = new TextEncoder().encode(await (await secretAnswer()()).text())
    let resolved = 0
    const moments = 60
    for (let moment = 0; moment < moments; moment++) {
      const chunks = [encoded]
      const read = () => Promise.resolve({ value: chunks.shift() })
      const { source } = createTestSource({
        fetch: () =>
          Promise.resolve({
            status: 200,
            type: 'basic',
            headers: new Headers(),
            body: { getReader: () => ({ read }) },
          }),
      })
      const secret = source.get().catch(() => undefined)
      for (let i = 0; i < moment; i++) await Promise.resolve()
      source.close()
      if ((await secret) === SECRET) resolved++
      expect(source.cachedAt).toBeUndefined()
    }
    expect(resolved).toBeGreaterThan(0)
    expect(resolved).toBeLessThan(moments)
  })
})
