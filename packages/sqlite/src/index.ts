/**
 * Handles each webhook exactly once, in a SQLite transaction of your own.
 *
 * @module sqlite
 */
export type {
  InboxOutcome,
  SynchronousInbox as Inbox,
  SynchronousResult,
  TransactionInbox,
} from '@service-signature/inbox'
export type { LibsqlClient, LibsqlTransaction } from './asynchronous.js'
export { sqliteInbox, type InboxOptions } from './inbox.js'
export type { SqliteDatabase } from './synchronous.js'
