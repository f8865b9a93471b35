import type { ReplayStoreOptions, VerifiedWebhook } from '@service-signature/core'
import { numberOption } from '@service-signature/core/shared/check-options'
import { checkReplayKeyOption } from '@service-signature/core/shared/replay-key'
import { checkStoreOptions } from '@service-signature/core/shared/store-options'

/** The options of every inbox. */
export interface InboxOptions extends ReplayStoreOptions {
  /** The table of the inbox. Default: `service_signature_inbox`. */
  readonly table?: string
  /**
   * How long a handled delivery is remembered: at least 390 s, and not shorter than a delivery is accepted. Default: 30
   * days, because the console of the payment service can send a delivery again days later, with a new signature.
   */
  readonly ttlSeconds?: number
  /**
   * The key of a delivery: two with the same key are duplicates. Default: `deliveryKey`, a SHA-256 of the key that matched and
   * of the signed content.
   */
  readonly replayKey?: (webhook: VerifiedWebhook) => string
  /** How long the database may take to answer, before the handler and after it. Default: 5. */
  readonly timeoutSeconds?: number
}

/** Those of an inbox whose handlers run in a transaction. */
export interface TransactionInboxOptions extends InboxOptions {
  /** The table, with or without its schema: `billing.inbox`. Default: `service_signature_inbox`. */
  readonly table?: string
  /** How long a delivery waits for the same delivery that is being handled. Default: 10. */
  readonly waitSeconds?: number
}

export type InboxSettings = ReturnType<typeof checkInboxOptions>
/** How long a claim lasts, and how long a delivery is remembered. */
export type Times = Required<ReplayStoreOptions>

const DEFAULT_TTL_SECONDS = 30 * 86_400
/** For how long a delivery is accepted by default: its age, the clock of the sender, and the time for its body. */
const LEAST_TTL_SECONDS = 300 + 60 + 30
const TABLE = 'service_signature_inbox'
// No sender waits longer than an hour.
const BOUNDS = { above: 0, max: 3600 } as const

/**
 * @param owner the function that takes the options, for errors
 * @throws {TypeError | RangeError} on an option that is misspelled, of the wrong type or out of bounds
 */
export function checkInboxOptions(
  options: InboxOptions,
  owner: string,
  others: readonly 'waitSeconds'[] = [],
) {
  const names = ['table', 'replayKey', 'timeoutSeconds', ...others] as const
  const own = checkStoreOptions<TransactionInboxOptions>(options, names, owner)
  checkReplayKeyOption(own.replayKey)
  const ttlSeconds = options.ttlSeconds === undefined ? DEFAULT_TTL_SECONDS : own.ttlSeconds
  if (ttlSeconds < LEAST_TTL_SECONDS) {
    throw new RangeError(
      `"ttlSeconds" must be at least ${LEAST_TTL_SECONDS}, got ${ttlSeconds}: a delivery is accepted for so long, and would be handled again`,
    )
  }
  return {
    table: own.table ?? TABLE,
    leaseSeconds: own.leaseSeconds,
    ttlSeconds,
    replayKey: own.replayKey,
    waitSeconds: numberOption(own, 'waitSeconds', 10, BOUNDS),
    timeoutSeconds: numberOption(own, 'timeoutSeconds', 5, BOUNDS),
  }
}

/**
 * The parts of `table` or `schema.table`. The name becomes part of the statements, so only plain identifiers are accepted.
 *
 * @param longest how many characters a part may have
 * @throws {TypeError} on any other name
 */
export function tableParts(table: unknown, longest: number): readonly string[] {
  const parts = typeof table === 'string' ? table.split('.') : []
  const isPlain = parts.every((part) => /^[a-z_][a-z0-9_]*$/.test(part) && part.length <= longest)
  if ((parts.length === 1 || parts.length === 2) && isPlain) return parts
  throw new TypeError(
    '"table" must be a name, or a schema and a name, such as "billing.inbox": each part of a-z, 0-9 and _, ' +
      `not beginning with a digit, and at most ${longest} characters long`,
  )
}
