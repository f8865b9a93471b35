import { attemptFetch, type RetryTools } from './attempts.js'
import type { SecretFetchError } from './failure.js'
import type { HeldSecret } from './held-secret.js'
import type { FetchSettings } from './options.js'
import { readCache, writeCache } from './shared-cache.js'

export interface CallOutcome {
  readonly secret: string
  /** What was wrong with the shared cache, which does not make the call fail. */
  readonly cacheError: SecretFetchError | undefined
}

/**
 * One call: asks the shared cache and, where that has no fresh secret, the service; then keeps the secret.
 *
 * @throws {SecretFetchError} when there is no fresh secret to be had; or the reason of the signal
 */
export async function runCall(
  settings: FetchSettings & RetryTools,
  held: HeldSecret,
  call: { readonly number: number; readonly signal: AbortSignal; readonly asksCache: boolean },
): Promise<CallOutcome> {
  const { number, signal, asksCache } = call
  let cacheError: SecretFetchError | undefined

  async function unlessItFails<Result>(cacheStep: Promise<Result>): Promise<Result | undefined> {
    try {
      return await cacheStep
    } catch (error) {
      cacheError = error as SecretFetchError
      return undefined
    }
  }

  if (asksCache) {
    const shared = await unlessItFails(readCache(settings, signal))
    if (shared !== undefined) held.adopt(shared, number)
    const fresh = held.fresh()
    if (fresh !== undefined) return { secret: fresh, cacheError }
  }
  const secret = await attemptFetch(settings, signal)
  // Between the answer and here the source may have been closed.
  signal.throwIfAborted()
  const value = { secret, fetchedAt: settings.now() }
  const kept = held.fill(value, number)
  if (kept === value) await unlessItFails(writeCache(settings, { ...value }, signal))
  return { secret: kept.secret, cacheError }
}
