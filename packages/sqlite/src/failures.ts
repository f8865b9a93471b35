import { WebhookError } from '@service-signature/core'

const ENDED_BY_HANDLER =
  'The handler ended the transaction itself. Remove COMMIT, ROLLBACK and INSERT OR ROLLBACK from the handler, and do not ' +
  'catch errors of a full or broken disk, at which SQLite rolls back: the inbox commits when the handler returns, and rolls ' +
  'back when it throws. What ran after the end is committed already.'

/** Errors of SQLite by a part of their message, and their fixes. */
const FIXES: readonly (readonly [message: string, fix: string])[] = [
  ['no such table', 'the table of the inbox does not exist; run inbox.migrate() or schema.sql'],
  [
    'within a transaction',
    'the connection is in a transaction already; do not await between BEGIN and COMMIT, or open a connection for the inbox',
  ],
]

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  if (WebhookError.is(error)) return error
  const message = messageOf(error)
  const fix = FIXES.find(([part]) => message.includes(part))?.[1]
  return unavailable(fix ?? `the database failed: ${message}`, error)
}

/** The error after a handler that did not fail. The client of libsql refuses to use a transaction that has ended. */
export function failureToCommit(error: unknown): unknown {
  const hasEnded = /no such savepoint|The transaction is closed/.test(messageOf(error))
  if (hasEnded) return new Error(ENDED_BY_HANDLER, { cause: error })
  return isBusy(error)
    ? unavailable('the transaction was rolled back, because another connection was reading', error)
    : error
}

/** Whether another connection has locked the file. `node:sqlite` has the code as a number. */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = Object(error) as { readonly code?: unknown; readonly errcode?: unknown }
  return typeof errcode === 'number' ? (errcode & 0xff) === 5 : String(code).startsWith('SQLITE_BUSY')
}

function unavailable(detail: string, cause: unknown): WebhookError {
  return new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { detail, cause })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
