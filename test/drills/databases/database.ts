import type { VerifiedWebhook } from '@service-signature/core'
import type { Env } from '../endpoints.js'

/** A database with an inbox, as a drill uses it. Each file of this folder exports one, as `database`. */
export interface DrillDatabase {
  readonly name: string
  /** Starts it, with the table of the inbox, and one of bookings without a unique column: a second booking is a second row. */
  readonly start: () => Promise<StartedDatabase>
  /** Connects a process of the endpoint. */
  readonly connect: (env: Env) => Book | Promise<Book>
}

export interface StartedDatabase {
  /** The environment of the processes. */
  readonly env: Env
  /** Left out where the database is a file. */
  readonly server?: { readonly kill: () => Promise<void>; readonly restart: () => Promise<void> }
  /** The delivery of each booking. */
  readonly read: () => Promise<ReadonlyMap<string, string>>
  readonly stop: () => Promise<unknown>
}

/**
 * Books a delivery in the transaction of the inbox, and calls `onBooked` inside of it. That reports the booking before it
 * returns; where a handler may wait, it should wait for it.
 */
export type Book = (
  webhook: VerifiedWebhook,
  row: { readonly delivery: string; readonly booking: string },
  onBooked: () => Promise<void>,
) => Promise<unknown>
