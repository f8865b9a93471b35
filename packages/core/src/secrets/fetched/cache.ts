import { checkKey } from '../keys.js'
import { kindOf, SecretFetchError } from './failure.js'
import type { CachedSecret, FetchSettings } from './options.js'
import { within } from '../../time-limit.js'

/** The secret that is kept, and how old it may be. */
export interface HeldSecret {
  readonly fetchedAt: number | undefined
  /** The secret, unless it is older than `maxAgeSeconds`. */
  readonly fresh: () => string | undefined
  /** The secret, unless it is older than `maxAgeSeconds` and `staleSeconds` together. */
  readonly usable: () => string | undefined
  /** Keeps what the call of this number brought, unless a later call was faster. Gives back what is kept now. */
  readonly fill: (value: CachedSecret, call: number) => CachedSecret
  /** Keeps what the call of this number found in the shared cache, if that was fetched later. */
  readonly adopt: (value: CachedSecret, call: number) => void
  readonly forget: () => void
}

export function holdSecret({ now, maxAgeSeconds, staleSeconds }: FetchSettings): HeldSecret {
  let held: CachedSecret | undefined
  let filledBy = 0

  const youngerThan = (seconds: number): string | undefined =>
    held !== undefined && now() - held.fetchedAt <= seconds * 1000 ? held.secret : undefined

  return {
    get fetchedAt() {
      return held?.fetchedAt
    },
    fresh: () => youngerThan(maxAgeSeconds),
    usable: () => youngerThan(maxAgeSeconds + staleSeconds),
    fill(value, call) {
      // After a later call `held` is undefined only when close() was called, and then no call gets here.
      // Stryker disable next-line ConditionalExpression: the check of `held` is for the compiler.
      if (held !== undefined && call < filledBy) return held
      filledBy = call
      return (held = value)
    },
    adopt(value, call) {
      if (held !== undefined && value.fetchedAt <= held.fetchedAt) return
      held = value
      filledBy = Math.max(filledBy, call)
    },
    forget() {
      held = undefined
    },
  }
}

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
  if (!Number.isFinite(fetchedAt) || !isKey(secret)) {
    throw new SecretFetchError(
      'The shared cache gave something else than { secret, fetchedAt }, which counts as nothing. Who writes to it?',
    )
  }
  // The clock of another instance may be ahead.
  return { secret, fetchedAt: Math.min(fetchedAt!, now()) }
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
    // Stryker disable next-line StringLiteral: the message with this name is discarded.
    return checkKey(secret, 'secret') === secret
  } catch /* Stryker disable next-line BlockStatement: undefined is as falsy as false. */ {
    return false
  }
}
