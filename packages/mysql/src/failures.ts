import { WebhookError } from '@service-signature/core'
import { unavailable, unconfirmed } from '@service-signature/inbox'

const TRANSACTION_ENDED =
  'The transaction ended before the handler returned. Either a statement of the handler ended it: COMMIT, ROLLBACK, BEGIN, or one ' +
  'that commits by itself, such as CREATE TABLE. Or one failed with a deadlock, and the handler did not pass the error on. Remove ' +
  'the statement, or let the error through. After a COMMIT of the handler, the delivery is recorded as handled.'

/** Fixes for errors of the server, by their numbers. */
const REASONS = {
  '1146': 'the table of the inbox does not exist; run inbox.migrate() or schema.sql',
  '1044, 1142, 1143': 'the user needs SELECT, INSERT, UPDATE and DELETE on the table of the inbox',
  '1290, 1792, 1836': 'the database is read-only; connect to the primary server',
  '1040, 1203, 1226':
    'the server has no free connection; lower the size of the pools or raise max_connections',
}

export const LOCK_WAIT_TIMEOUT = 1205
export const DEADLOCK = 1213
const NO_SAVEPOINT = 1305
/** The server closes the connection after these, and after those of the class 08. */
const CLOSING = [1927, 4031]

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  const number = numberOf(error)
  if (number === LOCK_WAIT_TIMEOUT) return new WebhookError('ERR_DELIVERY_IN_PROGRESS', { cause: error })
  const [, reason] = Object.entries(REASONS).find(([numbers]) => numbers.includes(String(number))) ?? []
  return unavailable(error, reason)
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
