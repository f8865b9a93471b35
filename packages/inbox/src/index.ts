/**
 * What an inbox is, whatever the database: its options, its keys, and the way of a delivery through a transaction.
 *
 * @module inbox
 */
export { answerWithin, connectionWithin, noConnection } from './connections.js'
export {
  FailureError,
  failureOf,
  otherShape,
  unavailable,
  unconfirmed,
  type Failure,
  type Failures,
} from './failures.js'
export {
  Handling,
  joinedOf,
  type Claimed,
  type Claims,
  type InboxOutcome,
  type Joined,
  type KeyState,
  type RunOnce,
} from './handling.js'
export { OwnClaims } from './own-claims.js'
export { keyOfDelivery, storedKey, type VerifiedDelivery } from './keys.js'
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
export { retryOnConflict, KeyedTransactions, type Engine, type Transaction } from './transactions.js'
