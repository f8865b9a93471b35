import { WebhookError } from './errors.js'

/** How far the time of signing may be from now, in seconds. */
export interface TimeWindow {
  readonly toleranceSeconds: number
  readonly futureToleranceSeconds: number
}

export interface Freshness {
  readonly verdict: 'fresh' | 'too old' | 'in the future'
  /** Negative when the time of signing lies ahead. */
  readonly ageSeconds: number
}

/**
 * Where `t` stands in the window around `now`. An age of exactly the tolerance is fresh.
 *
 * The window has two sides, for what they guard is not alike: the past bounds how long a recorded delivery can be
 * replayed, the future only how far two clocks may differ. It also keeps the digits of `t` from being traded with
 * the end of the body, since no version puts a separator between the two (S6.3 to S6.5).
 */
export function freshness(timestamp: string, now: number, window: TimeWindow): Freshness {
  const age = now - Number(timestamp) * 1000
  const ageSeconds = age / 1000
  if (age > window.toleranceSeconds * 1000) return { verdict: 'too old', ageSeconds }
  if (-age > window.futureToleranceSeconds * 1000) return { verdict: 'in the future', ageSeconds }
  return { verdict: 'fresh', ageSeconds }
}

/** @throws {WebhookError} where `t` is not in the window; by how much, its message says */
export function checkFreshness(timestamp: string, now: number, window: TimeWindow): void {
  const { verdict, ageSeconds } = freshness(timestamp, now, window)
  if (verdict === 'too old') {
    throw new WebhookError('ERR_TIMESTAMP_TOO_OLD', {
      detail: `${ageSeconds} s ago, and toleranceSeconds is ${window.toleranceSeconds}`,
    })
  }
  if (verdict === 'in the future') {
    throw new WebhookError('ERR_TIMESTAMP_IN_FUTURE', {
      detail: `${-ageSeconds} s ahead, and futureToleranceSeconds is ${window.futureToleranceSeconds}`,
    })
  }
}
