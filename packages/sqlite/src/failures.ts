import {
  failureOf,
  FailureError,
  messageOf,
  TABLE_MISSING,
  unavailable,
  type Failures,
} from '@service-signature/inbox'

const ENDED_BY_HANDLER =
  'The handler ended the transaction itself. Remove COMMIT, ROLLBACK and INSERT OR ROLLBACK from the handler, and do not ' +
  'catch errors of a full or broken disk, at which SQLite rolls back: the inbox commits when the handler returns, and rolls ' +
  'back when it throws. What ran after the end is committed already.'

const BROKEN = { what: 'its file is damaged', fix: 'Run PRAGMA integrity_check, and restore a backup.' }
const CLOSED = { what: 'the connection is closed', fix: 'Close it after the last delivery has ended.' }
const READ = {
  what: 'it was rolled back, because another connection was reading',
  fix: 'A retry can be handled.',
}

/** By a part of the message of SQLite, which is the same over each driver. */
const FAILURES: Failures = {
  'no such table': TABLE_MISSING,
  'within a transaction': {
    what: 'the connection is in a transaction already',
    fix: 'Do not await between BEGIN and COMMIT, or open a connection for the inbox.',
  },
  'disk is full': { what: 'its disk is full', fix: 'Make room on it, or raise PRAGMA max_page_count.' },
  'readonly database': { what: 'it is read-only', fix: 'The process must be able to write to its folder.' },
  'disk I/O error': { what: 'its disk did not read or write', fix: 'Look in the log of the system.' },
  'disk image is malformed': BROKEN,
  'file is not a database': BROKEN,
  'is not open': CLOSED,
  'client is closed': CLOSED,
  'database is locked': {
    what: 'another connection locked the file',
    fix: 'Begin the transaction of inbox.record with BEGIN IMMEDIATE, and make other writers shorter.',
  },
}

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown) {
  return failureOf(error, FAILURES)
}

/** The error after a handler that did not fail. The client of libsql refuses to use a transaction that has ended. */
export function failureToCommit(error: unknown): unknown {
  const hasEnded = /no such savepoint|The transaction is closed/.test(messageOf(error))
  if (hasEnded) return new Error(ENDED_BY_HANDLER, { cause: error })
  return isBusy(error) ? unavailable(error, READ) : error
}

/** Whether another connection has locked the file. `node:sqlite` has the code as a number. */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = Object(error) as { readonly code?: unknown; readonly errcode?: unknown }
  return typeof errcode === 'number' ? (errcode & 0xff) === 5 : String(code).startsWith('SQLITE_BUSY')
}

/** The refusal after the file was locked for as long as a delivery waits. */
export function locked(by: string, seconds: number) {
  const fix = 'Make the handlers and other writers shorter.'
  return refusalOf(new FailureError({ what: `${by} for ${seconds} s`, fix }))
}
