import type { Attempt, Delivery } from '../deliveries/delivery.js'

/** One attempt of a delivery, with its answer: what is printed, recorded and exported. It holds no key. */
export interface AttemptReport {
  /** The id of the delivery. */
  readonly delivery: string
  /** Counted from 1. */
  readonly attempt: number
  readonly type: string
  readonly url: string
  /** When the delivery was made, in milliseconds since 1970. */
  readonly created: number
  /** When the attempt was made, in milliseconds since 1970. */
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What was broken on purpose, such as `tamper`. */
  readonly faults: readonly string[]
  readonly answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string | readonly string[]>>
    /** The first 4,096 bytes. */
    readonly body: string
  } | null
  /** Why there is no answer. */
  readonly error: string | null
  readonly durationMs: number
}

export function reportAttempt(delivery: Delivery, made: Attempt): AttemptReport {
  const { id, type, url, created, attempts } = delivery
  const { at, headers, body, faults, answer = null, error = null, durationMs } = made
  const attempt = attempts.indexOf(made) + 1
  return { delivery: id, attempt, type, url, created, at, headers, body, faults, answer, error, durationMs }
}
