import {
  cacheKey,
  checkFetchOptions,
  type CachedSecret,
  type FetchSecretOptions,
  type FetchSettings,
  type SecretCache,
} from './fetch-secret-options.js'
import { abortable, requestSecret, SecretFetchError } from './fetch-secret-request.js'
import { isKey, type SecretSource } from '../keys.js'

/** How long the service is left alone after failures: 1, 2, 4, ... up to 60 s, and up to 300 s if it asks for it. */
const LONGEST_BACKOFF_SECONDS = 60
const LONGEST_COOLDOWN_SECONDS = 300

/** The signing secret as the payment service gives it, kept for all deliveries. */
export interface FetchedSecretSource extends SecretSource {
  /** The cached secret, or a new one. The service is called once, however many callers wait. */
  get(): Promise<string>
  /**
   * The secret, fetched again unless that was tried within `refreshCooldownSeconds`. A verifier calls it when a
   * signature does not match, because the secret may have been rotated. It does not reject if there is a secret.
   */
  refresh(): Promise<string>
  /** Fetches the secret now if there is no fresh one, and rejects if that fails, so that a server can refuse to start. */
  prime(): Promise<void>
  /** Ends the source: calls in flight are aborted, the secret is forgotten, and all callers are refused. */
  close(): void
  /** When the secret was fetched, in milliseconds, if there is one. */
  readonly cachedAt: number | undefined
  /** How many times the service has answered with the secret. */
  readonly fetchCount: number
  /** Why the last call or the shared cache failed, if one did. Holds no key. */
  readonly lastError: Error | undefined
}

/**
 * Fetches the signing secret from the payment service, once, and keeps it.
 *
 * If the service is unreachable, the cached secret stays in use for `staleSeconds` after it expired. If there is no
 * secret, deliveries are refused with `ERR_SECRET_UNAVAILABLE`, so that the sender retries them.
 *
 * @example
 * const secret = fetchSecret({ baseUrl: 'https://api.example.com', apiKey })
 * await secret.prime() // optional: reports a wrong API key at start-up instead of at the first delivery
 * const verifier = createVerifier({ secret })
 *
 * @example
 * // With an organization API key
 * fetchSecret({ baseUrl, apiKey: { organizationKey, accountId: 'acc_1', live: true } })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function fetchSecret(options: FetchSecretOptions): FetchedSecretSource {
  return new ServiceSecret(checkFetchOptions(options))
}

/** Between calls it has neither a timer nor a connection. */
class ServiceSecret implements FetchedSecretSource {
  readonly #settings: FetchSettings
  readonly #closing = new AbortController()
  #cached: CachedSecret | undefined
  #fetchCount = 0
  #call: { readonly startedAt: number; readonly secret: Promise<string> } | undefined
  /** The last call, if it failed; `count` is how many have failed in a row. */
  #failure: { readonly error: SecretFetchError; readonly at: number; readonly count: number } | undefined
  #cacheError: SecretFetchError | undefined
  // Stryker disable next-line UnaryOperator: neither -Infinity nor Infinity is within the cooldown.
  #refreshedAt = -Infinity

  constructor(settings: FetchSettings) {
    this.#settings = settings
  }

  get cachedAt(): number | undefined {
    return this.#cached?.fetchedAt
  }

  get fetchCount(): number {
    return this.#fetchCount
  }

  get lastError(): Error | undefined {
    return this.#failure?.error ?? this.#cacheError
  }

  async get(): Promise<string> {
    this.#checkOpen()
    const fresh = this.#fresh()
    if (fresh !== undefined) return fresh
    const old = this.#usable()
    const fetched = this.#fetchUnlessCoolingDown()
    if (old !== undefined && this.#failure !== undefined) {
      // The service was down, so the delivery does not wait for it. The failure of the call is kept in lastError.
      fetched.catch(() => undefined)
      return old
    }
    try {
      return await fetched
    } catch (error) {
      // Looked up again: the shared cache may have had an old secret, and close() removes it.
      const left = this.#usable()
      if (left === undefined) throw error
      return left
    }
  }

  async refresh(): Promise<string> {
    this.#checkOpen()
    if (this.#usable() !== undefined) {
      const call = this.#inFlight() ?? this.#refreshUnlessTooSoon()
      await call?.catch(() => undefined)
    }
    return this.get()
  }

  async prime(): Promise<void> {
    this.#checkOpen()
    if (this.#fresh() === undefined) await this.#fetchUnlessCoolingDown()
  }

  close(): void {
    this.#cached = undefined
    this.#closing.abort(
      new SecretFetchError('The secret source is closed: close() was called. Create a new one to continue.'),
    )
  }

  #checkOpen(): void {
    this.#closing.signal.throwIfAborted()
  }

  #fresh(): string | undefined {
    return this.#secretUpTo(this.#settings.maxAgeSeconds)
  }

  #usable(): string | undefined {
    return this.#secretUpTo(this.#settings.maxAgeSeconds + this.#settings.staleSeconds)
  }

  #secretUpTo(ageSeconds: number): string | undefined {
    const cached = this.#cached
    const isYoung = cached !== undefined && this.#settings.now() - cached.fetchedAt <= ageSeconds * 1000
    return isYoung ? cached.secret : undefined
  }

  async #fetchUnlessCoolingDown(): Promise<string> {
    const call = this.#inFlight()
    if (call !== undefined) return call
    const refusal = this.#cooldown()
    if (refusal !== undefined) throw refusal
    return this.#startCall({ asksCache: true })
  }

  #refreshUnlessTooSoon(): Promise<string> | undefined {
    const { refreshCooldownSeconds, now } = this.#settings
    const isTooSoon = this.#isWithin(refreshCooldownSeconds, this.#refreshedAt)
    if (isTooSoon || this.#cooldown() !== undefined) return undefined
    this.#refreshedAt = now()
    // The shared cache would answer with the very secret that did not match.
    return this.#startCall({ asksCache: false })
  }

  /**
   * The call that is in flight. One that takes longer than its three time-outs (of reading the cache, the request,
   * writing the cache) is not waited for: an edge runtime may have ended the request that it belonged to.
   */
  #inFlight(): Promise<string> | undefined {
    const call = this.#call
    const longest = 3 * this.#settings.timeoutSeconds
    return call !== undefined && this.#isWithin(longest, call.startedAt) ? call.secret : undefined
  }

  /** The error to refuse with while the service is left alone after a failed call. */
  #cooldown(): SecretFetchError | undefined {
    if (this.#failure === undefined) return undefined
    const { error, at } = this.#failure
    if (!this.#isWithin(error.retryAfterSeconds, at)) return undefined
    const left = Math.ceil(error.retryAfterSeconds - (this.#settings.now() - at) / 1000)
    const message = `The last call failed, and the next is made in ${left} s at the earliest. ${error.message}`
    const { retryable } = error
    return new SecretFetchError(message, { cause: error, retryAfterSeconds: left, retryable })
  }

  /** False also if the clock was set back, which must not make a pause longer. */
  #isWithin(seconds: number, since: number): boolean {
    const passed = this.#settings.now() - since
    return passed >= 0 && passed < seconds * 1000
  }

  #startCall(steps: { readonly asksCache: boolean }): Promise<string> {
    const secret = this.#fetch(steps).finally(() => {
      this.#call = undefined
    })
    this.#call = { startedAt: this.#settings.now(), secret }
    return secret
  }

  /** Asks the shared cache and, if that has no fresh secret, the service; then keeps the secret. */
  async #fetch({ asksCache }: { readonly asksCache: boolean }): Promise<string> {
    const { now } = this.#settings
    this.#cacheError = undefined
    if (asksCache) {
      const shared = await this.#cacheStep(async (cache, key) => checkCached(await cache.get(key), now()))
      this.#checkOpen()
      if (shared !== undefined && shared.fetchedAt > (this.cachedAt ?? -Infinity)) this.#cached = shared
      const fresh = this.#fresh()
      if (fresh !== undefined) return fresh
    }
    const secret = await this.#callService()
    this.#checkOpen()
    this.#cached = { secret, fetchedAt: now() }
    const copy = { ...this.#cached }
    await this.#cacheStep(async (cache, key) => cache.set(key, copy))
    return secret
  }

  async #callService(): Promise<string> {
    try {
      const secret = await requestSecret(this.#settings, this.#closing.signal)
      this.#failure = undefined
      this.#fetchCount++
      return secret
    } catch (thrown) {
      const error = thrown as SecretFetchError
      const count = (this.#failure?.count ?? 0) + 1
      const backoff = Math.min(2 ** (count - 1), LONGEST_BACKOFF_SECONDS)
      const pause = Math.max(backoff, error.retryAfterSeconds)
      error.retryAfterSeconds = Math.min(pause, LONGEST_COOLDOWN_SECONDS)
      this.#failure = { error, at: this.#settings.now(), count }
      throw error
    }
  }

  /** One step with the shared cache. If it fails, the source continues without it, and `lastError` says why. */
  async #cacheStep<Result>(
    step: (cache: SecretCache, key: string) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { cache, timeoutSeconds } = this.#settings
    if (cache === undefined) return undefined
    try {
      const key = await cacheKey(this.#settings)
      const timeUp = () => new SecretFetchError(`The shared cache did not answer within ${timeoutSeconds} s.`)
      return await abortable(timeoutSeconds, this.#closing.signal, () => step(cache, key), timeUp)
    } catch (error) {
      this.#cacheError = error instanceof SecretFetchError ? error : cacheFailure(error)
      return undefined
    }
  }
}

/** The value of a shared cache, checked as strictly as an answer of the service. */
function checkCached(value: CachedSecret | null | undefined, now: number): CachedSecret | undefined {
  if (value === undefined || value === null) return undefined
  const { secret, fetchedAt } = value
  // The clock of another instance may be ahead.
  if (Number.isFinite(fetchedAt) && isKey(secret)) return { secret, fetchedAt: Math.min(fetchedAt, now) }
  throw new SecretFetchError(
    'The shared cache did not answer with { secret, fetchedAt }, so the answer is ignored. Check what else writes to it.',
  )
}

/** Says the kind of error, and not its message: a cache has the secret, and its errors may quote it. */
function cacheFailure(error: unknown): SecretFetchError {
  const { code, name = typeof error } = Object(error) as { readonly code?: unknown; readonly name?: unknown }
  return new SecretFetchError(`The shared cache failed (${String(code ?? name)}).`)
}
