import { WebhookError } from '@service-signature/core'
import { failureOf, unconfirmed, type Failures } from '@service-signature/inbox'

const TRANSACTION_ENDED =
  'The transaction ended before the handler returned. Either a statement of the handler ended it: COMMIT, ROLLBACK, BEGIN, or one ' +
  'that commits by itself, such as CREATE TABLE. Or one failed with a deadlock, and the handler did not pass the error on. Remove ' +
  'the statement, or let the error through. After a COMMIT of the handler, the delivery is recorded as handled.'

const NOT_ALLOWED = {
  what: 'the user may not use the table',
  fix: 'Grant it SELECT, INSERT, UPDATE and DELETE on the table of the inbox.',
}
const READ_ONLY = { what: 'it is read-only', fix: 'Connect to the primary server.' }
const FULL = {
  what: 'the server has no free connection',
  fix: 'Lower the size of the pools or raise max_connections.',
}

/** By the number of the error. */
const FAILURES: Failures = {
  1040: FULL,
  1044: NOT_ALLOWED,
  1142: NOT_ALLOWED,
  1143: NOT_ALLOWED,
  1146: { what: 'the table of the inbox does not exist', fix: 'Run inbox.migrate() or schema.sql.' },
  1203: FULL,
  1226: FULL,
  1290: READ_ONLY,
  1792: READ_ONLY,
  1836: READ_ONLY,
}

export const UNKNOWN_COLUMN = 1054
export const NO_TABLE = 1146
export const LOCK_WAIT_TIMEOUT = 1205
export const DEADLOCK = 1213
const NO_SAVEPOINT = 1305
/** The server closes the connection after these, and after those of the class 08. */
const CLOSING = [1927, 4031]

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  const number = numberOf(error)
  if (number === LOCK_WAIT_TIMEOUT) return new WebhookError('ERR_DELIVERY_IN_PROGRESS', { cause: error })
  return failureOf(error, FAILURES, number?.toString())
}

/** The error after a handler that did not fail. */
export function failureToCommit(error: unknown): unknown {
  if (numberOf(error) === NO_SAVEPOINT) return new Error(TRANSACTION_ENDED, { cause: error })
  return isConnectionLost(error) ? unconfirmed(error) : error
}

/** Whether the state of the connection, and of its transaction, is unknown. Only errors of the server have an SQLSTATE. */
export function isConnectionLost(error: unknown): boolean {
  const { sqlState = '08' } = Object(error) as { readonly sqlState?: string }
  return sqlState.startsWith('08') || CLOSING.includes(numberOf(error)!)
}

/** The number of an error. Those of the operating system are negative. */
export function numberOf(error: unknown): number | undefined {
  return (Object(error) as { readonly errno?: number }).errno
}
