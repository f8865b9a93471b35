import type { VerifiedWebhook } from '@service-signature/core'
import {
  checkReplayKeyOption,
  checkStoreOptions,
  numberOption,
  type ReplayStoreOptions,
} from '@service-signature/core/node'
import type { TableName } from './statements.js'

export interface PostgresInboxOptions extends ReplayStoreOptions {
  /** The table, with or without its schema: `billing.inbox`. Default: `service_signature_inbox`. */
  readonly table?: string
  /**
   * How long a handled delivery is remembered. Default: 30 days, because the console of the payment service can send a
   * delivery again days later, with a new signature.
   */
  readonly ttlSeconds?: number
  /**
   * The key of a delivery: two with the same key are duplicates. Default: `deliveryKey`, the SHA-256 of the key's
   * fingerprint and the signed content.
   */
  readonly replayKey?: (webhook: VerifiedWebhook) => string
  /** How long a delivery waits for the same delivery that is being handled. Default: 10. */
  readonly waitSeconds?: number
  /** How long the database may take to answer, before the handler and after it. Default: 5. */
  readonly timeoutSeconds?: number
}

const OWN_OPTIONS = ['table', 'replayKey', 'waitSeconds', 'timeoutSeconds'] as const
const DEFAULT_TTL_SECONDS = 30 * 86_400
// PostgreSQL cuts longer names off at 63 letters, and the index has the name of the table and a suffix.
const IDENTIFIER = /^[a-z_][a-z0-9_]{0,57}$/

/** @throws {TypeError | RangeError} on an option that is misspelled, of the wrong type or out of bounds */
export function checkInboxOptions(options: PostgresInboxOptions) {
  const own = checkStoreOptions(options, OWN_OPTIONS, 'postgresInbox')
  checkReplayKeyOption(own.replayKey)
  // No sender waits longer than an hour.
  const bounds = { above: 0, max: 3600 } as const
  return {
    table: checkTable(own.table),
    leaseSeconds: own.leaseSeconds,
    ttlSeconds: options.ttlSeconds === undefined ? DEFAULT_TTL_SECONDS : own.ttlSeconds,
    replayKey: own.replayKey,
    waitSeconds: numberOption(own.waitSeconds, 'waitSeconds', 10, bounds),
    timeoutSeconds: numberOption(own.timeoutSeconds, 'timeoutSeconds', 5, bounds),
  }
}

/** The name becomes part of the statements, so only plain identifiers are accepted. */
function checkTable(table: unknown = 'service_signature_inbox'): TableName {
  const parts = typeof table === 'string' ? table.split('.') : []
  const isPlain = parts.every((part) => IDENTIFIER.test(part))
  if ((parts.length === 1 || parts.length === 2) && isPlain) return parts
  throw new TypeError(
    '"table" must be a name, or a schema and a name, such as "billing.inbox": each part of a-z, 0-9 and _, ' +
      'not beginning with a digit, and at most 58 characters long',
  )
}
