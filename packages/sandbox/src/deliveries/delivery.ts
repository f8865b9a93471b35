import type { Forgery } from '../faults/faults.js'
import type { Scope } from '../model/entities.js'
import type { Answer } from './send.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** How long to wait after an attempt that failed. After the last of them the delivery is dead. */
export const RETRY_DELAYS_MS = [SECOND, 5 * SECOND, 25 * SECOND, 2 * MINUTE, 10 * MINUTE] as const

/** How long an endpoint may take to answer. */
export const TIMEOUT_MS = 10 * SECOND

/** An event that is sent to an endpoint, with all attempts. */
export interface Delivery {
  readonly id: string
  readonly type: string
  /** Missing on an event that was composed without an intent. */
  readonly intentId?: string | undefined
  readonly source: 'payment' | 'composed'
  /** What makes each of its attempts a forgery, if it was composed so. */
  readonly forgeries: readonly Forgery[]
  /** Whether it is sent again after an attempt that failed. */
  readonly isRetried: boolean
  /** Text such as "10.50 EUR", if the event is about an amount. */
  readonly amount?: string | undefined
  readonly url: string
  /** The account and mode whose API key signs v1; the intent itself may have been forgotten by then. */
  readonly scope: Scope
  readonly keyId?: string | undefined
  /** The text whose UTF-8 bytes are signed. */
  readonly body: string
  readonly created: number
  status: 'pending' | 'delivered' | 'dead'
  /** How many retries of the schedule were planned. */
  retries: number
  /** The time of the next attempt, if one is planned. */
  nextAttemptAt?: number
  readonly attempts: Attempt[]
}

/** One request, as it was sent, and its outcome. */
export interface Attempt {
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What was done to it on purpose. */
  readonly faults: readonly Forgery[]
  readonly answer?: Answer
  /** Why there is no answer. */
  readonly error?: string
  readonly durationMs: number
}
