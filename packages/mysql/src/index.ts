/**
 * Handles each webhook exactly once, in a transaction of your own MySQL or MariaDB.
 *
 * @module mysql
 */
export type {
  InboxOutcome,
  TransactionInbox,
  TransactionInboxOptions as InboxOptions,
} from '@service-signature/inbox'
export type { MysqlClient, MysqlPool } from './driver.js'
export { mysqlInbox, type Inbox, type RecordQuery } from './inbox.js'
