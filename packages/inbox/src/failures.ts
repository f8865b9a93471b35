import { WebhookError } from '@service-signature/core'

/** Why the database of an inbox failed, as a part of a sentence, and what the operator can do, as a sentence. */
export interface Failure {
  readonly what: string
  readonly fix: string
}

/** The failures of one database that have a known fix, by the code that the database or its library gives them. */
export type Failures = Readonly<Record<string, Failure>>

const UNKNOWN: Failure = { what: 'the reason is in "cause"', fix: 'A retry can be handled.' }

const UNCONFIRMED: Failure = {
  what: 'the end of the transaction was not confirmed',
  fix: 'A retry finds out how it ended.',
}

/** A failure that is noticed here, and not by the database. */
export class FailureError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(`${failure.what}. ${failure.fix}`)
    this.failure = failure
  }
}

/** The refusal of a delivery that the database cannot take now: the sender should retry it. */
export function unavailable(cause: unknown, { what, fix }: Failure = UNKNOWN): WebhookError {
  const message = `The database of the inbox failed: ${what}. ${fix}`
  return new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { message, cause })
}

/**
 * The same, with what is known about the error.
 *
 * @param code of the error, as the table has it
 */
export function failureOf(error: unknown, failures: Failures, code: string | undefined): WebhookError {
  if (WebhookError.is(error)) return error
  if (error instanceof FailureError) return unavailable(error, error.failure)
  return unavailable(error, code !== undefined && Object.hasOwn(failures, code) ? failures[code] : UNKNOWN)
}

/** The error after a COMMIT that was sent, but not answered. */
export function unconfirmed(cause: unknown): WebhookError {
  return unavailable(cause, UNCONFIRMED)
}

/** The error of `migrate` if the table is not that of an inbox. It changes no table that exists. */
export function otherShape(table: string, columns: readonly string[], cause: unknown): Error {
  const { message } = cause as Error
  return new Error(
    `inbox.migrate: the table ${table} is not that of an inbox (${message}). It needs the columns ${columns.join(', ')}: ` +
      'rename the table that exists, or give the inbox another one with the option "table"',
    { cause },
  )
}
