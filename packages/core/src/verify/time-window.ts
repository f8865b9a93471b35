import { WebhookError } from '../errors.js'

/** How far the time of signing may be from now, in seconds. */
export interface TimeWindow {
  readonly toleranceSeconds: number
  readonly futureToleranceSeconds: number
}

/** For how many seconds the same delivery is accepted, whose body may be complete `bodySeconds` later than its header. */
export function acceptedSecondsOf(window: TimeWindow, bodySeconds: number): number {
  return window.toleranceSeconds + window.futureToleranceSeconds + bodySeconds
}

/**
 * Where `t` is in the window around `now`. An age of exactly the tolerance is accepted. The past bounds how long a
 * recorded delivery can be replayed, the future only how far two clocks may differ. The window also keeps the digits
 * of `t` from being traded with the end of the body (see specification, Time window).
 */
export function timeWindowVerdict(timestamp: string, now: number, window: TimeWindow) {
  const age = now - Number(timestamp) * 1000
  // Negative if the time of signing is ahead.
  const ageSeconds = age / 1000
  if (age > window.toleranceSeconds * 1000) return { verdict: 'too old', ageSeconds } as const
  if (-age > window.futureToleranceSeconds * 1000) return { verdict: 'in the future', ageSeconds } as const
  return { verdict: 'in time', ageSeconds } as const
}

/** How long ago it was signed, in seconds. @throws {WebhookError} `ERR_TIMESTAMP_TOO_OLD`, `ERR_TIMESTAMP_IN_FUTURE` */
export function checkTimeWindow(timestamp: string, now: number, window: TimeWindow): number {
  const { verdict, ageSeconds } = timeWindowVerdict(timestamp, now, window)
  if (verdict === 'too old') {
    const detail = `${inWords(ageSeconds)} ago; toleranceSeconds is ${window.toleranceSeconds}`
    throw new WebhookError('ERR_TIMESTAMP_TOO_OLD', { detail })
  }
  if (verdict === 'in the future') {
    const detail = `${inWords(-ageSeconds)} ahead; futureToleranceSeconds is ${window.futureToleranceSeconds}`
    throw new WebhookError('ERR_TIMESTAMP_IN_FUTURE', { detail })
  }
  return ageSeconds
}

/** A duration as a person reads it. */
function inWords(seconds: number): string {
  if (seconds >= 2 * 86_400) return `${Math.floor(seconds / 86_400)} days`
  if (seconds >= 2 * 3600) return `${Math.floor(seconds / 3600)} hours`
  if (seconds >= 10 * 60) return `${Math.floor(seconds / 60)} minutes`
  // Fractions matter if the age is just above the tolerance.
  return `${Math.ceil(seconds * 10) / 10} seconds`
}
