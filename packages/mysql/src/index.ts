/**
 * Handles each webhook exactly once, in a transaction of your own MySQL or MariaDB.
 *
 * @module mysql
 */
export { mysqlInbox, type Inbox, type InboxOptions, type RecordQuery } from './inbox.js'
export type { InboxOutcome, TransactionInbox } from '@service-signature/inbox'
export type { MysqlClient, MysqlPool } from './driver.js'
