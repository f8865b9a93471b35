/**
 * Handles each webhook exactly once, in a PostgreSQL transaction of your own.
 *
 * @module postgres
 */
export type { PgClient, PgPool } from './pg.js'
export type { PgliteDatabase, PgliteTransaction } from './pglite.js'
export type { PostgresJs, PostgresJsTransaction } from './postgres-js.js'
export { postgresInbox, type Inbox, type InboxOptions, type RecordQuery } from './inbox.js'
export type { InboxOutcome, TransactionInbox } from '@service-signature/inbox'
