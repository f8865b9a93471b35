import type { WebhookError } from '@service-signature/core'
import {
  failureOf,
  NOT_ALLOWED,
  POOL_EMPTY,
  READ_ONLY,
  SERVER_FULL,
  TABLE_MISSING,
  unconfirmed,
  type Failure,
  type Failures,
} from '@service-signature/inbox'

const TRANSACTION_ENDED =
  'The transaction ended before the handler returned. Either a statement of the handler ended it: COMMIT, ROLLBACK, BEGIN, or one ' +
  'that commits by itself, such as CREATE TABLE. Or one failed with a deadlock, and the handler did not pass the error on. Remove ' +
  'the statement, or let the error through. After a COMMIT of the handler, the delivery is recorded as handled.'

const DISK_FULL: Failure = { what: 'its disk or tablespace is full', fix: 'Make room on it.' }
const TIME_LIMIT: Failure = {
  what: 'the server ended a statement at its time limit',
  fix: 'Look for a slow disk, or raise max_statement_time (MariaDB) or max_execution_time (MySQL) for the user of the inbox.',
}
const LOST: Failure = {
  what: 'the connection to the server is lost, or not made',
  fix: 'Is the server up, and in reach? No restart is needed when it is.',
}

export const UNKNOWN_COLUMN = 1054
export const NO_TABLE = 1146
export const LOCK_WAIT_TIMEOUT = 1205
export const DEADLOCK = 1213
const NO_SAVEPOINT = 1305
/** The server closes the connection after these, and after those of the class 08. */
const CLOSING = [1927, 4031]

/** By the number of the error of the server, or the code or the message that the library gives. */
const FAILURES: Failures = {
  1021: DISK_FULL,
  1040: SERVER_FULL,
  1044: NOT_ALLOWED,
  1053: LOST,
  1114: DISK_FULL,
  1142: NOT_ALLOWED,
  1143: NOT_ALLOWED,
  [NO_TABLE]: TABLE_MISSING,
  1203: SERVER_FULL,
  [LOCK_WAIT_TIMEOUT]: {
    what: 'another statement or transaction has locked the table, or a key next to this one',
    fix: 'Look for ALTER TABLE, LOCK TABLES and transactions that are open for long.',
  },
  [DEADLOCK]: {
    what: 'the insertion of the key ended in deadlocks with other transactions',
    fix: 'If it happens often, make the transactions that use the table of the inbox shorter.',
  },
  1226: SERVER_FULL,
  1290: READ_ONLY,
  1792: READ_ONLY,
  1836: READ_ONLY,
  1927: LOST,
  1969: TIME_LIMIT,
  3024: TIME_LIMIT,
  4031: LOST,
  ECONNREFUSED: LOST,
  ECONNRESET: LOST,
  EPIPE: LOST,
  ETIMEDOUT: LOST,
  PROTOCOL_CONNECTION_LOST: LOST,
  'No connections available.': POOL_EMPTY,
  'Queue limit reached.': POOL_EMPTY,
}

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  const { sqlState, code, message } = Object(error) as Readonly<Record<string, string | undefined>>
  return failureOf(error, FAILURES, sqlState === undefined ? (code ?? message) : String(numberOf(error)))
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
