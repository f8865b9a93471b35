/**
 * What an inbox is, whatever the database: its options, its keys, and the way of a delivery through a transaction.
 *
 * @module inbox
 */
export { keyOfDelivery, ownKey, storedKey, type VerifiedDelivery } from './keys.js'
export {
  checkInboxOptions,
  tableParts,
  type InboxOptions,
  type InboxSettings,
  type TransactionInboxOptions,
} from './options.js'
export { KeyedTransactions, type Engine, type InboxOutcome, type Transaction } from './transactions.js'
