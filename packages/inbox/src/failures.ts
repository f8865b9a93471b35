import { WebhookError } from '@service-signature/core'

/** Why an engine failed, as a part of a sentence, and what the operator can do, as a sentence. */
export interface Failure {
  readonly what: string
  readonly fix: string
}

/** The failures of one engine that have a known fix, by the code of the error or by a part of its message. */
export type Failures = Readonly<Record<string, Failure>>

export const TABLE_MISSING: Failure = {
  what: 'the table of the inbox does not exist',
  fix: 'Run inbox.migrate() or schema.sql.',
}
export const NOT_ALLOWED: Failure = {
  what: 'the user may not use the table',
  fix: 'Grant it SELECT, INSERT, UPDATE and DELETE on the table of the inbox.',
}
export const READ_ONLY: Failure = { what: 'it is read-only', fix: 'Connect to the primary server.' }
export const SERVER_FULL: Failure = {
  what: 'the server has no free connection',
  fix: 'Lower the size of the pools or raise max_connections.',
}
export const POOL_EMPTY: Failure = {
  what: 'the pool had no free connection in time',
  fix: 'Each open handler holds one: make the handlers shorter, or the pool larger.',
}

const RETRY = 'A retry can be handled.'

const UNCONFIRMED: Failure = {
  what: 'the end of the transaction was not confirmed',
  fix: 'A retry finds out how it ended.',
}

/** A failure that is noticed here, and not by the engine. */
export class FailureError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(`${failure.what}. ${failure.fix}`)
    this.failure = failure
  }
}

/**
 * The refusal of a delivery that the database of an inbox cannot take now, with what is known about the error: the sender should
 * retry it.
 *
 * @param text the code of the error, or its message
 */
export function failureOf(error: unknown, failures: Failures, text = messageOf(error)): WebhookError {
  if (WebhookError.is(error)) return error
  const failure = failureIn(failures, text, error) ?? { what: 'the reason is in "cause"', fix: RETRY }
  return unavailable(error, failure)
}

/** The same of a replay store. It becomes the cause of the error that the operator gets, which names no other cause. */
export function storeFailureOf(error: unknown, failures: Failures): WebhookError {
  const text = messageOf(error)
  const { what, fix } = failureIn(failures, text, error) ?? { what: text.replace(/\.$/, ''), fix: RETRY }
  const message = `The replay store failed: ${what}. ${fix} "onStoreError" decides whether deliveries are accepted meanwhile.`
  return new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { message, cause: error })
}

/** The failure of an error that was noticed here, or the first one whose name is in the text, in upper or lower case. */
export function failureIn(failures: Failures, text: string, error?: unknown): Failure | undefined {
  if (error instanceof FailureError) return error.failure
  const name = Object.keys(failures).find((each) => text.toLowerCase().includes(each.toLowerCase()))
  return name === undefined ? undefined : failures[name]
}

/** The error after a COMMIT that was sent, but not answered. */
export function unconfirmed(cause: unknown): WebhookError {
  return unavailable(cause, UNCONFIRMED)
}

export function unavailable(cause: unknown, { what, fix }: Failure): WebhookError {
  const message = `The database of the inbox failed: ${what}. ${fix}`
  return new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { message, cause })
}

/** The error of `migrate` if the table that exists is another one. */
export function otherShape(table: string, problem: string, options?: ErrorOptions): Error {
  return new Error(
    `The table "${table}" is not that of an inbox: ${problem}. ` +
      'Set "table" to another name, or rename this table: inbox.migrate() then creates its own.',
    options,
  )
}

/** Drivers in JavaScript also throw what is not an Error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
