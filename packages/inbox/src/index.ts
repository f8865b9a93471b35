/**
 * What an inbox is, whatever the database: its options, its keys, and the way of a delivery through a transaction.
 *
 * @module inbox
 */
export { answerWithin, connectionWithin } from './connections.js'
export { unavailable, unconfirmed } from './failures.js'
export { Handling, type InboxOutcome, type RunOnce } from './handling.js'
export { keyOf, keyOfDelivery, ownKey, storedKey, type VerifiedDelivery } from './keys.js'
export {
  checkInboxOptions,
  tableParts,
  type InboxOptions,
  type InboxSettings,
  type Times,
  type TransactionInboxOptions,
} from './options.js'
export {
  KeyedInbox,
  poolInbox,
  type InboxStatements,
  type PoolEngine,
  type TransactionInbox,
} from './keyed-inbox.js'
export { sqliteStatements } from './sqlite-statements.js'
export { PRUNE_BATCH, pruneAll, StoredKeys, type KeyStatements, type PruneOptions } from './stored-keys.js'
export { KeyedTransactions, type Engine, type Transaction } from './transactions.js'
