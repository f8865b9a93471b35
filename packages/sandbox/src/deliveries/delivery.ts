import type { Answer } from './send.js'

/** An event on its way to an endpoint, and how it went. */
export interface Delivery {
  readonly id: string
  readonly type: string
  readonly intentId: string
  readonly url: string
  /** Whose API key signs v1; the intent itself may have been forgotten by then. */
  readonly accountId: string
  readonly keyId?: string | undefined
  /** The text whose UTF-8 bytes are signed. */
  readonly body: string
  readonly created: number
  status: 'pending' | 'delivered' | 'dead'
  /** How many retries of the schedule were planned. */
  retries: number
  /** When it is tried again, if it is. */
  nextAttemptAt?: number
  readonly attempts: Attempt[]
}

/** One request, as it was sent, and what came back. */
export interface Attempt {
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What was done to it on purpose. */
  readonly faults: readonly string[]
  readonly answer?: Answer
  /** Why there is no answer. */
  readonly error?: string
  readonly durationMs: number
}
