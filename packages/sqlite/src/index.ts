/**
 * Handles each webhook exactly once, in a SQLite transaction of your own.
 *
 * @module sqlite
 */
export { sqliteInbox, type Inbox, type InboxOptions } from './inbox.js'
export type { LibsqlClient, LibsqlTransaction } from './asynchronous.js'
export type { SqliteDatabase, SynchronousResult } from './synchronous.js'
export type { InboxOutcome, TransactionInbox } from '@service-signature/inbox'
