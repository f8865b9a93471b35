import { checkKey } from '../keys.js'
import { SecretFetchError } from './failure.js'
import { kindOf } from './foreign-error.js'
import type { CachedSecret, FetchSettings } from './options.js'
import { within } from '../../time-limit.js'

/**
 * What the cache holds, checked as strictly as an answer of the service.
 *
 * @throws {SecretFetchError} when the cache fails or gives what it should not; or the reason of the signal
 */
export async function readCache(
  { cache, timeoutSeconds, now }: FetchSettings,
  signal: AbortSignal,
): Promise<CachedSecret | undefined> {
  if (cache === undefined) return undefined
  const value: unknown = await guarded(() => cache.get(), timeoutSeconds, signal)
  if (value === undefined || value === null) return undefined
  const { secret, fetchedAt } = value as Partial<CachedSecret>
  if (typeof fetchedAt !== 'number' || !Number.isFinite(fetchedAt) || !isKey(secret)) {
    throw new SecretFetchError(
      'The shared cache gave something else than { secret, fetchedAt }, which counts as nothing. Who writes to it?',
    )
  }
  // The clock of another instance may be ahead.
  return { secret, fetchedAt: Math.min(fetchedAt, now()) }
}

/** @throws {SecretFetchError} when the cache fails; or the reason of the signal */
export async function writeCache(
  { cache, timeoutSeconds }: FetchSettings,
  value: CachedSecret,
  signal: AbortSignal,
): Promise<void> {
  if (cache !== undefined) await guarded(() => cache.set(value), timeoutSeconds, signal)
}

async function guarded(work: () => unknown, timeoutSeconds: number, signal: AbortSignal): Promise<unknown> {
  try {
    return await within(timeoutSeconds, signal, work, () => {
      return new SecretFetchError(`The shared cache did not answer within ${timeoutSeconds} s.`)
    })
  } catch (error) {
    if (error instanceof SecretFetchError) throw error
    throw new SecretFetchError(`The shared cache failed (${kindOf(error)}).`)
  }
}

function isKey(secret: unknown): secret is string {
  try {
    return checkKey(secret, 'secret') === secret
  } catch {
    return false
  }
}
