import { passing, type SecretFetchError } from './failure.js'
import type { FetchSettings } from './options.js'
import { requestSecret } from './request.js'
import { within, type Sleep } from '../../time-limit.js'

/** What tests replace, so that they neither wait nor depend on chance. */
export interface RetryTools {
  readonly sleep: Sleep
  /** From 0 to 1. */
  readonly random: () => number
}

const FIRST_PAUSE_SECONDS = 0.2
const LONGEST_PAUSE_SECONDS = 2

/**
 * Asks for the secret, and again after a failure that may pass.
 *
 * @throws {SecretFetchError} the failure of the last attempt; or the reason of the signal
 */
export async function attemptFetch(
  settings: FetchSettings & RetryTools,
  signal: AbortSignal,
): Promise<string> {
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
