import type { WebhookError } from '@service-signature/core'
import {
  FailureError,
  failureIn,
  failureOf,
  messageOf,
  TABLE_MISSING,
  type Failures,
} from '@service-signature/inbox'

const RETRIED = 'Nothing to do: a retry finds out what was written.'

/** By a part of the message of D1. Each can be of a batch that was executed, but not answered. */
const UNKNOWN_OUTCOME: Failures = {
  overloaded: {
    what: 'D1 is overloaded',
    fix: 'Make the queries shorter, send fewer of them, or divide the data among several databases.',
  },
  'network connection lost': { what: 'the connection to D1 was lost', fix: RETRIED },
  'transient issue on remote node': { what: 'D1 could not be reached', fix: RETRIED },
  'client disconnected': { what: 'the connection to D1 was closed', fix: RETRIED },
  'object to be reset': { what: 'D1 restarted the database', fix: RETRIED },
  'reset because its code was updated': { what: 'D1 restarted the database', fix: RETRIED },
  'limit and was reset': {
    what: 'D1 restarted the database, because a query took too much memory or time',
    fix: 'Make the queries smaller.',
  },
  'internal error': { what: 'D1 had an internal error', fix: RETRIED },
}

const FAILURES: Failures = {
  ...UNKNOWN_OUTCOME,
  'no such table': TABLE_MISSING,
  SQLITE_FULL: {
    what: 'the database has reached its largest size',
    fix: 'Delete rows; inbox.prune() deletes old keys.',
  },
}

/** The code of SQLite, which D1 adds to the error of a statement, whatever text the statement put into it. */
const OF_STATEMENT = /: SQLITE_[A-Z]+(?: \(extended: [A-Z_]+\))?$/

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  return failureOf(error, FAILURES)
}

/** The error after a batch that failed: that of the merchant's statement, or a refusal if the outcome is not known. */
export function failureToCommit(error: unknown): unknown {
  if (error instanceof FailureError) return refusalOf(error)
  const message = messageOf(error)
  const isOfStatement = OF_STATEMENT.test(message) || failureIn(UNKNOWN_OUTCOME, message) === undefined
  return isOfStatement ? error : refusalOf(error)
}

/** Whether the message can be of the statement that inserts the key. A trigger may fail with any text. */
export function isAboutTable(error: unknown, table: string): boolean {
  return new RegExp(
    `^(?:\\w+: )*(?:NOT NULL constraint failed: ${table}\\.key|no such table: (?:main\\.)?${table})\\b`,
  ).test(messageOf(error))
}
