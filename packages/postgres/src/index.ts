/**
 * Handles each webhook exactly once, in a PostgreSQL transaction of your own.
 *
 * @module postgres
 */
export type {
  InboxOutcome,
  TransactionInbox,
  TransactionInboxOptions as InboxOptions,
} from '@service-signature/inbox'
export { postgresInbox, type Inbox, type RecordQuery } from './inbox.js'
export type { PgClient, PgPool } from './pg.js'
export type { PgliteDatabase, PgliteTransaction } from './pglite.js'
export type { PostgresJs, PostgresJsTransaction } from './postgres-js.js'
