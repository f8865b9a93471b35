import type { WebhookError } from '@service-signature/core'
import { failureOf, FailureError, unavailable, type Failures } from '@service-signature/inbox'

const ENDED_BY_HANDLER =
  'The handler ended the transaction itself. Remove COMMIT, ROLLBACK and INSERT OR ROLLBACK from the handler, and do not ' +
  'catch errors of a full or broken disk, at which SQLite rolls back: the inbox commits when the handler returns, and rolls ' +
  'back when it throws. What ran after the end is committed already.'

/** By a part of the message of SQLite. */
const FAILURES: Failures = {
  'no such table': {
    what: 'the table of the inbox does not exist',
    fix: 'Run inbox.migrate() or schema.sql.',
  },
  'within a transaction': {
    what: 'the connection is in a transaction already',
    fix: 'Do not await between BEGIN and COMMIT, or open a connection for the inbox.',
  },
}

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  const message = messageOf(error)
  return failureOf(
    error,
    FAILURES,
    Object.keys(FAILURES).find((part) => message.includes(part)),
  )
}

/** The error after a handler that did not fail. The client of libsql refuses to use a transaction that has ended. */
export function failureToCommit(error: unknown): unknown {
  const hasEnded = /no such savepoint|The transaction is closed/.test(messageOf(error))
  if (hasEnded) return new Error(ENDED_BY_HANDLER, { cause: error })
  return isBusy(error)
    ? unavailable(error, {
        what: 'the transaction was rolled back, because another connection was reading',
        fix: 'The sender retries.',
      })
    : error
}

/** Whether another connection has locked the file. `node:sqlite` has the code as a number. */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = Object(error) as { readonly code?: unknown; readonly errcode?: unknown }
  return typeof errcode === 'number' ? (errcode & 0xff) === 5 : String(code).startsWith('SQLITE_BUSY')
}

/** The file was locked for as long as a delivery waits. */
export function locked(by: string, seconds: number): FailureError {
  return new FailureError({
    what: `${by} for ${seconds} s`,
    fix: 'Make the handlers and other writers shorter.',
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
