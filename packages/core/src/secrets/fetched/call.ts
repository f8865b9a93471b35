import { within, type Sleep } from '../../time-limit.js'
import { readCache, writeCache, type HeldSecret } from './cache.js'
import { passing, type SecretFetchError } from './failure.js'
import type { FetchSettings } from './options.js'
import { requestSecret } from './request.js'

/** What tests replace, so that they neither wait nor depend on chance. */
export interface RetryTools {
  readonly sleep: Sleep
  /** From 0 to 1. */
  readonly random: () => number
}

const FIRST_PAUSE_SECONDS = 0.2
const LONGEST_PAUSE_SECONDS = 2

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

/**
 * Asks for the secret, and again after a failure that may pass.
 *
 * @throws {SecretFetchError} the failure of the last attempt; or the reason of the signal
 */
async function attemptFetch(settings: FetchSettings & RetryTools, signal: AbortSignal): Promise<string> {
  const { timeoutSeconds, retries, sleep, random } = settings
  for (let attempt = 0; ; attempt++) {
    try {
      return await within(
        timeoutSeconds,
        signal,
        (ended) => requestSecret(settings, ended),
        () =>
          passing(
            `The payment service did not answer within ${timeoutSeconds} s. If this lasts, look for a firewall in between, or raise "timeoutSeconds".`,
          ),
      )
    } catch (error) {
      const { retryPauseSeconds } = error as SecretFetchError
      if (attempt >= retries || retryPauseSeconds === undefined) throw error
      await sleep(Math.max(retryPauseSeconds, backoff(attempt, random())), signal)
    }
  }
}

/** How long a call can take at the most, with what it asks of a shared cache before and after. */
export function longestCallSeconds({ timeoutSeconds, retries }: FetchSettings): number {
  return (retries + 3) * timeoutSeconds + retries * backoff(Infinity, 1)
}

/** Twice as long each time, and up to a half more or less, so that instances which failed together come apart. */
function backoff(attempt: number, chance: number): number {
  return Math.min(FIRST_PAUSE_SECONDS * 2 ** attempt, LONGEST_PAUSE_SECONDS) * (0.5 + chance)
}

/** Calls of which one is in flight at a time; whoever comes meanwhile waits for it too. */
export interface OneCall<Result> {
  /** The result of the call in flight, if there is one. */
  readonly inFlight: () => Promise<Result> | undefined
  readonly start: (run: (number: number, signal: AbortSignal) => Promise<Result>) => Promise<Result>
  /** Whether no call was started after this one. */
  readonly isLatest: (number: number) => boolean
  /** Ends every call that still runs. */
  readonly abort: (reason: Error) => void
}

/**
 * Calls are numbered, since one may be overtaken: if it takes longer than its time-outs add up to, these no longer
 * work (an edge runtime has ended the request that it belonged to), and nobody joins it any more.
 */
export function oneCallAtATime<Result>(longestSeconds: number, now: () => number): OneCall<Result> {
  const running = new Set<AbortController>()
  let latest = 0
  let current:
    { readonly number: number; readonly startedAt: number; readonly result: Promise<Result> } | undefined

  return {
    inFlight: () =>
      current !== undefined && now() - current.startedAt <= longestSeconds * 1000
        ? current.result
        : undefined,
    start(run) {
      const number = ++latest
      const controller = new AbortController()
      running.add(controller)
      const result = run(number, controller.signal).finally(() => {
        running.delete(controller)
        if (current?.number === number) current = undefined
      })
      current = { number, startedAt: now(), result }
      return result
    },
    isLatest: (number) => number === latest,
    abort(reason) {
      for (const controller of running) controller.abort(reason)
    },
  }
}
