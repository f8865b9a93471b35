import { WebhookError } from '@service-signature/core'
import {
  failureOf,
  messageOf,
  NOT_ALLOWED,
  POOL_EMPTY,
  READ_ONLY,
  SERVER_FULL,
  TABLE_MISSING,
  unconfirmed,
  type Failures,
} from '@service-signature/inbox'

const SWALLOWED_ERROR =
  'A statement of the handler failed and the handler did not pass the error on, so PostgreSQL rolls the transaction back. ' +
  'Let the error through, or use a savepoint for a statement that may fail.'

const ENDED_BY_HANDLER =
  'The handler ended the transaction itself. Remove COMMIT and ROLLBACK from the handler: the inbox commits when it returns, ' +
  'and rolls back when it throws. After a COMMIT of the handler, the delivery is recorded as handled.'

const CONFLICT = {
  what: 'other transactions won, again and again',
  fix: 'A retry can succeed. Under the isolation level "read committed", the inbox has no such conflicts.',
}

/** By SQLSTATE, or by the message of the library. */
const FAILURES: Failures = {
  '25006': READ_ONLY,
  '25P03': {
    what: 'the server ended the transaction, because the handler sent no statement for longer than idle_in_transaction_session_timeout',
    fix: 'Nothing was committed. Make the handler faster, or the time longer.',
  },
  '40001': CONFLICT,
  '40P01': CONFLICT,
  '42501': NOT_ALLOWED,
  '42P01': TABLE_MISSING,
  '53100': { what: 'its disk is full', fix: 'Free some space; this process need not be restarted.' },
  '53300': SERVER_FULL,
  '55P03': {
    what: 'another statement has locked the table of the inbox',
    fix: 'Look in pg_stat_activity for LOCK TABLE, ALTER TABLE, VACUUM FULL, or CREATE INDEX without CONCURRENTLY.',
  },
  '57014': {
    what: 'a statement was canceled',
    fix: 'Look for locks and a slow disk; statement_timeout of the server, the role or the database sets the limit.',
  },
  // The error of pg if all clients of the pool are in use; that of a new client is another one.
  'timeout exceeded when trying to connect': POOL_EMPTY,
}

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  if (isKeyLocked(error)) return new WebhookError('ERR_DELIVERY_IN_PROGRESS', { cause: error })
  const { code } = Object(error) as { readonly code?: unknown }
  return failureOf(error, FAILURES, typeof code === 'string' ? code : messageOf(error))
}

/** The error after a handler that did not fail. */
export function failureToCommit(error: unknown): unknown {
  const state = sqlStateOf(error)
  if (state === IN_FAILED_TRANSACTION) return new Error(SWALLOWED_ERROR, { cause: error })
  if (state === NO_CURSOR) return new Error(ENDED_BY_HANDLER, { cause: error })
  if (state === IDLE_IN_TRANSACTION) return refusalOf(error)
  if (!isConnectionLost(error)) return error
  return unconfirmed(error)
}

/** The error of PostgreSQL for the check in a transaction that has ended. */
export function noCursor(): Error {
  return Object.assign(new Error('The transaction has ended'), { code: NO_CURSOR, severity: 'ERROR' })
}

/** Whether the state of the connection, and of its transaction, is unknown. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === undefined || /^(?:08|57P|25P03)/.test(state)
}

/** Whether another transaction had locked the row of the key for too long. */
export function isKeyLocked(error: unknown): boolean {
  const { where } = Object(error) as { readonly where?: unknown }
  // Only a lock of a row has its place in the context: "while inserting index tuple (0,1) in relation ...", in any language.
  return isLockTimeout(error) && typeof where === 'string' && /\(\d+,\d+\)/.test(where)
}

/** Whether another transaction won. A new one sees what it has done. */
export function isConflict(error: unknown): boolean {
  return /^(?:40001|40P01)$/.test(sqlStateOf(error) ?? '')
}

export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === LOCK_TIMEOUT
}

export function isNotAllowed(error: unknown): boolean {
  return sqlStateOf(error) === NO_RIGHT
}

const NO_RIGHT = '42501'
const LOCK_TIMEOUT = '55P03'
const IDLE_IN_TRANSACTION = '25P03'
const IN_FAILED_TRANSACTION = '25P02'
const NO_CURSOR = '34000'

/** The SQLSTATE of an error that the server reported. Other errors have a `code` too, but no `severity`. */
function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = Object(error) as { readonly code?: unknown; readonly severity?: unknown }
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined
}
