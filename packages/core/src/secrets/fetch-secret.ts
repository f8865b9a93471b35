import { isKey, type SecretSource } from '../signature/keys.js'
import {
  type CachedSecret,
  checkFetchOptions,
  type FetchSecretOptions,
  type FetchSettings,
  type SecretCache,
} from './fetch-secret-options.js'
import { requestSecret, SecretFetchError, withinTime } from './fetch-secret-request.js'

/** The service is left alone after failures for 1, 2, 4, ... up to 60 s, or for as long as it asks for. */
const LONGEST_BACKOFF_SECONDS = 60
const RAISE_TIMEOUT = 'If this persists, look for a firewall, or raise "timeoutSeconds".'
/** A shared cache is asked to save a call, so it may not take longer than one. */
const CACHE_TIMEOUT_SECONDS = 1
/** How long after a forgery deliveries with a rotated secret may be refused. */
const FIRST_REFRESH_WAIT_SECONDS = 15

/** The signing secret as the payment service gives it, kept for all deliveries. */
export interface FetchedSecretSource extends SecretSource {
  /** The cached secret, or a new one. The service is called once, however many callers wait. */
  get(): Promise<string>
  /** Fetches again, unless the wait of `refreshCooldownSeconds` has not ended. Rejects only if there is no secret. */
  refresh(): Promise<string>
  /** Fetches the secret if there is no fresh one, and rejects if that fails: a server can refuse to start. */
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
 * Fetches the signing secret from the payment service, once, and keeps it. If the service is unreachable, an expired secret
 * stays in use for `staleSeconds`. Without a secret, deliveries are refused with `ERR_SECRET_UNAVAILABLE`, and retried.
 *
 * @example
 * const secret = fetchSecret({ baseUrl: 'https://api.example.com', apiKey })
 * await secret.prime() // optional: reports a wrong API key at start-up instead of at the first delivery
 * const verifier = createVerifier({ secret })
 *
 * @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds
 */
export function fetchSecret(options: FetchSecretOptions): FetchedSecretSource {
  return new ServiceSecret(checkFetchOptions(options))
}

class ServiceSecret implements FetchedSecretSource {
  readonly #settings: FetchSettings
  readonly #closing = new AbortController()
  #cached: CachedSecret | undefined
  #call: { readonly startedAt: number; readonly secret: Promise<string> } | undefined
  /** The last call, if it failed; `count` is how many have failed in a row. */
  #failure: { readonly error: SecretFetchError; readonly at: number; readonly count: number } | undefined
  #cacheError: SecretFetchError | undefined
  #cacheKey: Promise<string> | undefined
  /** The last refresh that the service answered, and how long no other is made after it. */
  #lastRefresh: { readonly at: number; readonly waitSeconds: number } | undefined
  fetchCount = 0

  constructor(settings: FetchSettings) {
    this.#settings = settings
  }

  get cachedAt(): number | undefined {
    return this.#cached?.fetchedAt
  }

  get lastError(): Error | undefined {
    return this.#failure?.error ?? this.#cacheError
  }

  async get(): Promise<string> {
    const fresh = this.#secret()
    if (fresh !== undefined) return fresh
    const call = this.#load()
    try {
      const old = this.#secret(this.#settings.staleSeconds)
      if (old === undefined || this.#failure === undefined) return await call
      // The service was down, so the delivery does not wait for it. lastError keeps the failure of the call.
      call.catch(() => undefined)
      return old
    } catch (error) {
      // Looked up again: the shared cache may have had an old secret, and close() removes it.
      const left = this.#secret(this.#settings.staleSeconds)
      if (left === undefined) throw error
      return left
    }
  }

  async refresh(): Promise<string> {
    const old = this.#secret(this.#settings.staleSeconds)
    if (old !== undefined) await this.#load({ isRefresh: true }).catch(() => undefined)
    return this.get()
  }

  async prime(): Promise<void> {
    if (this.#secret() === undefined) await this.#load()
  }

  close(): void {
    this.#cached = undefined
    const message = 'The secret source is closed: close() was called. Create a new one to continue.'
    this.#closing.abort(new SecretFetchError(message))
  }

  /** The cached secret, if it expired no longer ago than `staleSeconds`. */
  #secret(staleSeconds = 0): string | undefined {
    const { maxAgeSeconds, now } = this.#settings
    if (this.#cached === undefined) return undefined
    const { secret, fetchedAt } = this.#cached
    return now() - fetchedAt <= (maxAgeSeconds + staleSeconds) * 1000 ? secret : undefined
  }

  /** False if the clock was set back, which must not make a pause longer. */
  #isWithin(seconds: number, since: number): boolean {
    const passed = this.#settings.now() - since
    return passed >= 0 && passed < seconds * 1000
  }

  /** Waits for the call in flight, or makes one, unless it is too soon for that or the source is closed. */
  async #load({ isRefresh = false } = {}): Promise<string> {
    this.#closing.signal.throwIfAborted()
    const { now, timeoutSeconds } = this.#settings
    const call = this.#call
    // Reading the cache and the request have a time-out each. A call that takes longer is given up: an edge runtime may
    // have ended the request that it belonged to.
    if (call !== undefined && this.#isWithin(2 * timeoutSeconds, call.startedAt)) return call.secret
    this.#checkCooldown()
    const last = this.#lastRefresh
    if (isRefresh && last && this.#isWithin(last.waitSeconds, last.at)) return this.#cached!.secret
    const secret = this.#fetch(isRefresh).finally(() => {
      this.#call = undefined
    })
    this.#call = { startedAt: now(), secret }
    return secret
  }

  /** @throws {SecretFetchError} while the service is left alone after a failure */
  #checkCooldown(): void {
    if (this.#failure === undefined) return
    const { error, at } = this.#failure
    if (!this.#isWithin(error.retryAfterSeconds, at)) return
    const left = Math.ceil(error.retryAfterSeconds - (this.#settings.now() - at) / 1000)
    const pause = `The last call failed, and the next is made in ${left} s at the earliest.`
    const refusal = new SecretFetchError(`${pause} ${error.message}`, { cause: error })
    throw Object.assign(refusal, { retryAfterSeconds: left, retryable: error.retryable })
  }

  async #fetch(isRefresh: boolean): Promise<string> {
    const { timeoutSeconds, staleSeconds, now } = this.#settings
    const { signal } = this.#closing
    const startedAt = now()
    this.#cacheError = undefined
    // Not while there is a secret: for a refresh, the shared cache would answer with the very secret that did not match.
    if (this.#secret(staleSeconds) === undefined) {
      const shared = await this.#withCache(async (cache, key) => checkCached(await cache.get(key), now()))
      signal.throwIfAborted()
      if (shared !== undefined && shared.fetchedAt > (this.cachedAt ?? -Infinity)) this.#cached = shared
      const fresh = this.#secret()
      if (fresh !== undefined) return fresh
    }
    const late = `The payment service did not answer within ${timeoutSeconds} s. ${RAISE_TIMEOUT}`
    const request = (aborted: AbortSignal) => requestSecret(this.#settings, aborted)
    const call = withinTime(late, timeoutSeconds, signal, request)
    const secret = await call.catch((error: unknown) => this.#fail(error as SecretFetchError))
    signal.throwIfAborted()
    this.#failure = undefined
    this.fetchCount++
    if (isRefresh) this.#noteRefresh(startedAt, secret !== this.#cached!.secret)
    this.#cached = { secret, fetchedAt: now() }
    const copy = { ...this.#cached }
    // Not awaited: no delivery waits for it. If it fails, lastError has the reason.
    void this.#withCache((cache, key) => cache.set(key, copy))
    return secret
  }

  /** The next wait is the first one again if the secret changed, or if nothing asked for a refresh for long enough. */
  #noteRefresh(at: number, isChanged: boolean): void {
    const { refreshCooldownSeconds: longest } = this.#settings
    const last = this.#lastRefresh
    const isInSeries = !isChanged && last && this.#isWithin(last.waitSeconds + longest, last.at)
    const seconds = isInSeries ? 2 * last.waitSeconds : FIRST_REFRESH_WAIT_SECONDS
    this.#lastRefresh = { at, waitSeconds: Math.min(seconds, longest) }
  }

  #fail(error: SecretFetchError): never {
    const count = this.#failure?.count ?? 0
    const backoff = Math.min(2 ** count, LONGEST_BACKOFF_SECONDS)
    error.retryAfterSeconds = Math.max(backoff, error.retryAfterSeconds)
    this.#failure = { error, at: this.#settings.now(), count: count + 1 }
    throw error
  }

  /** One step with the shared cache. If it fails, the source continues without it, and `lastError` has the reason. */
  async #withCache<T>(step: (cache: SecretCache, key: string) => Promise<T>): Promise<T | undefined> {
    const { cache, timeoutSeconds } = this.#settings
    if (cache === undefined) return undefined
    const seconds = Math.min(timeoutSeconds, CACHE_TIMEOUT_SECONDS)
    const late = `The shared cache did not answer within ${seconds} s, so it was skipped.`
    try {
      const key = await (this.#cacheKey ??= cacheKey(this.#settings))
      return await withinTime(late, seconds, this.#closing.signal, () => step(cache, key))
    } catch (error) {
      // Only the kind of the error, because its message may quote the secret.
      const { code, name = typeof error } = Object(error) as Readonly<Record<string, unknown>>
      const failure = new SecretFetchError(`The shared cache failed (${String(code ?? name)}).`)
      this.#cacheError = error instanceof SecretFetchError ? error : failure
      return undefined
    }
  }
}

/** 64 bits of the hash do not lead back to the API key. */
async function cacheKey({ url, apiKey }: FetchSettings): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${url}\n${apiKey}`))
  const digits = new DataView(hash).getBigUint64(0).toString(16).padStart(16, '0')
  return `service-signature:secret:${digits}`
}

/** As strict as with an answer of the service. */
function checkCached(value: CachedSecret | null | undefined, now: number): CachedSecret | undefined {
  if (value === undefined || value === null) return undefined
  const { secret, fetchedAt } = value
  // The clock of another instance may be ahead.
  if (Number.isFinite(fetchedAt) && isKey(secret)) return { secret, fetchedAt: Math.min(fetchedAt, now) }
  const fix = 'so the answer is ignored. Check what else writes to it.'
  throw new SecretFetchError(`The shared cache did not answer with { secret, fetchedAt }, ${fix}`)
}
