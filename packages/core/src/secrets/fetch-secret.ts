import { sleep } from '../time-limit.js'
import { holdSecret } from './fetched/cache.js'
import { longestCallSeconds, oneCallAtATime, runCall, type RetryTools } from './fetched/call.js'
import { checkFetchOptions } from './fetched/check-options.js'
import { closed, coolingDown, type SecretFetchError } from './fetched/failure.js'
import type { FetchSecretOptions, FetchSettings } from './fetched/options.js'
import type { SecretSource } from './keys.js'

/** The signing secret as the payment service gives it, kept for all deliveries. */
export interface FetchedSecretSource extends SecretSource {
  /** The secret: the one that is kept, or a new one. However many wait, the service is called once. */
  readonly get: () => Promise<string>
  /**
   * The secret, fetched anew unless that was tried within `refreshCooldownSeconds`. What a verifier asks for when a
   * signature does not match: the secret may have been replaced. Where there is a secret, this does not reject.
   */
  readonly refresh: () => Promise<string>
  /** Fetches the secret now if none is fresh, and rejects if it cannot: a server then need not start. */
  readonly prime: () => Promise<void>
  /** Ends the source: calls in flight are aborted, the secret is forgotten, and whoever waits or comes is refused. */
  readonly close: () => void
  /** When the secret was fetched, in milliseconds, if there is one. */
  readonly cachedAt: number | undefined
  /** Why the last call failed, or the shared cache did. None when all went well. Holds no key. */
  readonly lastError: Error | undefined
}

/**
 * Takes the signing secret from the payment service (S4.2), once, and keeps it: "The secret does not change".
 *
 * If the service is down the secret goes on being used for `staleSeconds`. Where there is none to use, deliveries are
 * refused with `ERR_SECRET_UNAVAILABLE`, so that the sender sends them again.
 *
 * @example
 * const secret = fetchSecret({ baseUrl: 'https://api.example.com', apiKey })
 * await secret.prime() // optional: a wrong API key shows now, and not with the first delivery
 * const verifier = createVerifier({ secret })
 *
 * @example
 * // With an organization API key (S5.2)
 * fetchSecret({ baseUrl, apiKey: { organizationKey, accountId: 'acc_1', live: true } })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function fetchSecret(options: FetchSecretOptions): FetchedSecretSource {
  return createSecretSource({ ...checkFetchOptions(options), sleep, random: Math.random })
}

/** `fetchSecret` over checked settings. It lives by calls and the clock: between calls it has no timer. */
export function createSecretSource(settings: FetchSettings & RetryTools): FetchedSecretSource {
  const { now, refreshCooldownSeconds } = settings
  const held = holdSecret(settings)
  const calls = oneCallAtATime<string>(longestCallSeconds(settings), now)
  /** How the last call ended, if it failed. */
  let failure: { readonly error: SecretFetchError; readonly at: number } | undefined
  let lastError: SecretFetchError | undefined
  // Stryker disable next-line UnaryOperator: neither -Infinity nor Infinity is within the cooldown.
  let refreshedAt = -Infinity
  let isClosed = false

  async function get(): Promise<string> {
    checkOpen()
    const fresh = held.fresh()
    if (fresh !== undefined) return fresh
    const old = held.usable()
    if (old !== undefined && failure !== undefined) {
      // The service was down, so nobody waits for it. How the call in the background ends shows in lastError.
      fetchUnlessCoolingDown().catch(() => undefined)
      return old
    }
    try {
      return await fetchUnlessCoolingDown()
    } catch (error) {
      // Not the one from above: the shared cache may have had an old one, and close() takes it away.
      const left = held.usable()
      if (left === undefined) throw error
      return left
    }
  }

  async function refresh(): Promise<string> {
    checkOpen()
    if (held.usable() !== undefined) {
      const call = calls.inFlight() ?? refreshUnlessTooSoon()
      await call?.catch(() => undefined)
    }
    return get()
  }

  async function prime(): Promise<void> {
    checkOpen()
    if (held.fresh() === undefined) await fetchUnlessCoolingDown()
  }

  function close(): void {
    isClosed = true
    held.forget()
    calls.abort(closed())
  }

  function checkOpen(): void {
    if (isClosed) throw closed()
  }

  async function fetchUnlessCoolingDown(): Promise<string> {
    const inFlight = calls.inFlight()
    if (inFlight !== undefined) return inFlight
    const refusal = cooldown()
    if (refusal !== undefined) throw refusal
    return startCall({ asksCache: true })
  }

  function refreshUnlessTooSoon(): Promise<string> | undefined {
    if (isWithin(refreshCooldownSeconds, refreshedAt) || cooldown() !== undefined) return undefined
    refreshedAt = now()
    // The shared cache would give the very secret that did not match.
    // Stryker disable next-line ObjectLiteral: undefined is as falsy as false.
    return startCall({ asksCache: false })
  }

  /** What to refuse with, as long as the service is left alone after a failed call. */
  function cooldown(): SecretFetchError | undefined {
    if (failure === undefined || !isWithin(failure.error.retryAfterSeconds, failure.at)) return undefined
    const passed = (now() - failure.at) / 1000
    return coolingDown(failure.error, Math.ceil(failure.error.retryAfterSeconds - passed))
  }

  /** Not so either where the clock was set back: that must not make a pause longer. */
  function isWithin(seconds: number, since: number): boolean {
    const passed = now() - since
    return passed >= 0 && passed < seconds * 1000
  }

  function startCall({ asksCache }: { readonly asksCache: boolean }): Promise<string> {
    return calls.start(async (number, signal) => {
      try {
        const { secret, cacheError } = await runCall(settings, held, { number, signal, asksCache })
        failure = undefined
        lastError = cacheError
        return secret
      } catch (thrown) {
        const error = thrown as SecretFetchError
        if (calls.isLatest(number)) {
          failure = { error, at: now() }
          lastError = error
        }
        throw error
      }
    })
  }

  return {
    get,
    refresh,
    prime,
    close,
    get cachedAt() {
      return held.fetchedAt
    },
    get lastError() {
      return lastError
    },
  }
}
