import { WebhookError } from '@service-signature/core'
import { failureOf, unconfirmed, type Failures } from '@service-signature/inbox'

const SWALLOWED_ERROR =
  'A statement of the handler failed and the handler did not pass the error on, so PostgreSQL rolls the transaction back. ' +
  'Let the error through, or use a savepoint for a statement that may fail.'

const ENDED_BY_HANDLER =
  'The handler ended the transaction itself. Remove COMMIT and ROLLBACK from the handler: the inbox commits when it returns, ' +
  'and rolls back when it throws. After a COMMIT of the handler, the delivery is recorded as handled.'

/** By SQLSTATE. */
const FAILURES: Failures = {
  '25006': { what: 'it is read-only', fix: 'Connect to the primary server.' },
  '42501': {
    what: 'the role may not use the table',
    fix: 'Grant it SELECT, INSERT, UPDATE and DELETE on the table of the inbox.',
  },
  '42P01': { what: 'the table of the inbox does not exist', fix: 'Run inbox.migrate() or schema.sql.' },
  '53300': {
    what: 'the server has no free connection',
    fix: 'Lower the size of the pools or raise max_connections.',
  },
}

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  const state = sqlStateOf(error)
  if (state === LOCK_TIMEOUT) return new WebhookError('ERR_DELIVERY_IN_PROGRESS', { cause: error })
  return failureOf(error, FAILURES, state)
}

/** The error after a handler that did not fail. */
export function failureToCommit(error: unknown): unknown {
  const state = sqlStateOf(error)
  if (state === IN_FAILED_TRANSACTION) return new Error(SWALLOWED_ERROR, { cause: error })
  if (state === NO_CURSOR) return new Error(ENDED_BY_HANDLER, { cause: error })
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

export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === LOCK_TIMEOUT
}

export function isNotAllowed(error: unknown): boolean {
  return sqlStateOf(error) === NOT_ALLOWED
}

const NOT_ALLOWED = '42501'
const LOCK_TIMEOUT = '55P03'
const IN_FAILED_TRANSACTION = '25P02'
const NO_CURSOR = '34000'

/** The SQLSTATE of an error that the server reported. Other errors have a `code` too, but no `severity`. */
function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = Object(error) as { readonly code?: unknown; readonly severity?: unknown }
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined
}
