import type { ReplayClaim, ReplayStore } from '@service-signature/core'
import {
  checkInboxOptions,
  Handling,
  KeyedTransactions,
  keyOfDelivery,
  pruneAll,
  StoredKeys,
  tableParts,
  type InboxOutcome,
  type InboxSettings,
  type PruneOptions,
  type Transaction,
  type TransactionInboxOptions,
  type VerifiedDelivery,
} from '@service-signature/inbox'
import type { Driver } from './driver.js'
import { driverFor } from './drivers.js'
import { failureToCommit, isLockTimeout, refusalOf } from './failures.js'
import type { PgClient, PgPool } from './pg.js'
import type { PgliteDatabase, PgliteTransaction } from './pglite.js'
import type { PostgresJs, PostgresJsTransaction } from './postgres-js.js'
import { BEFORE_MIGRATION, schemaFor, statementsFor } from './statements.js'

export interface PostgresInboxOptions extends TransactionInboxOptions {
  /** The table, with or without its schema: `billing.inbox`. Default: `service_signature_inbox`. */
  readonly table?: string
}

/**
 * Runs a statement in the caller's transaction, and gives its rows or an object with `rows`. It is called as a template tag,
 * as the `sql` of many libraries, with one value.
 */
export type RecordQuery = (strings: TemplateStringsArray, key: string) => PromiseLike<unknown>

/**
 * An inbox in your own PostgreSQL database. The key of a delivery is inserted in the transaction that books it, so that
 * the delivery is booked exactly once.
 *
 * @param pool of `pg`, postgres.js or PGlite; it stays yours to close
 *
 * @example
 * const inbox = postgresInbox(new Pool())
 * await inbox.handle(webhook, (client) => client.query('UPDATE orders SET paid = true WHERE id = $1', [id]))
 *
 * @throws {TypeError} on a pool of another package, or an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function postgresInbox<Client extends PgClient>(
  pool: PgPool<Client>,
  options?: PostgresInboxOptions,
): Inbox<Client>
export function postgresInbox<Client extends PostgresJsTransaction>(
  pool: PostgresJs<Client>,
  options?: PostgresInboxOptions,
): Inbox<Client>
export function postgresInbox<Client extends PgliteTransaction>(
  pool: PgliteDatabase<Client>,
  options?: PostgresInboxOptions,
): Inbox<Client>
export function postgresInbox(
  pool: PgPool | PostgresJs | PgliteDatabase,
  options: PostgresInboxOptions = {},
): Inbox<unknown> {
  const settings = checkInboxOptions(options, 'postgresInbox', ['waitSeconds'])
  return new PostgresInbox(driverFor(pool, settings.timeoutSeconds), settings)
}

/** An inbox, which is also a {@link ReplayStore}. `Client` is what the pool's package calls a client in a transaction. */
export interface Inbox<Client> extends ReplayStore {
  /** Creates the table if it does not exist. Several processes may call it at once. */
  readonly migrate: () => Promise<void>

  /**
   * Runs the handler in a transaction, unless the delivery was handled before. The same delivery waits meanwhile. If the
   * handler fails, nothing of its transaction remains, and a retry of the delivery is handled.
   *
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`: the sender should retry
   * @throws {TypeError} if it was called for this webhook before, and that call has not failed
   * @throws {unknown} the error of the handler, or of the COMMIT
   */
  readonly handle: <Result>(
    webhook: VerifiedDelivery,
    handler: (client: Client) => Result | Promise<Result>,
  ) => Promise<InboxOutcome<Result>>

  /**
   * The same for a key of your own, such as `intent:int_1:PROCESSED`: a webhook does it, or a job that looks for what never
   * arrived. The keys that `replayKey` makes are in the same place.
   *
   * @param key 1 to 255 characters
   * @throws {TypeError | RangeError} on another key
   */
  readonly once: <Result>(
    key: string,
    handler: (client: Client) => Result | Promise<Result>,
  ) => Promise<InboxOutcome<Result>>

  /**
   * Records the delivery in a transaction of your own. If `query` runs outside of that transaction, nothing is promised.
   *
   * @returns whether the delivery is new; if not, leave it
   */
  readonly record: (webhook: VerifiedDelivery, query: RecordQuery) => Promise<boolean>

  /**
   * Deletes the keys that are older than `ttlSeconds`, 10,000 at a time.
   *
   * @returns how many were deleted
   */
  readonly prune: (options?: PruneOptions) => Promise<number>

  readonly claim: (key: string) => Promise<ReplayClaim>
  readonly commit: (key: string, token: string) => Promise<void>
  readonly release: (key: string, token: string) => Promise<void>
  readonly ttlSeconds: number
  readonly leaseSeconds: number
}

// A batch of 10,000 keys is deleted in less than a second, unless the disk is slow.
const PRUNE_SECONDS = 60

class PostgresInbox<Client> extends StoredKeys implements Inbox<Client> {
  readonly handle: Inbox<Client>['handle']
  readonly once: Inbox<Client>['once']
  readonly #driver: Driver<Client>
  readonly #settings: InboxSettings
  readonly #table: readonly string[]
  readonly #sql: ReturnType<typeof statementsFor>

  constructor(driver: Driver<Client>, settings: InboxSettings) {
    // PostgreSQL cuts longer names off at 63 letters, and the index has the name of the table and a suffix.
    const table = tableParts(settings.table, 58)
    const sql = statementsFor(table, settings)
    super(
      {
        claim: (key, token) => claim(driver, sql.claim, [key, token]),
        commit: (key, token) => driver.query(sql.commit, [key, token]),
        release: (key, token) => driver.query(sql.release, [key, token]),
      },
      settings,
    )
    this.#driver = driver
    this.#settings = settings
    this.#table = table
    this.#sql = sql
    const transactions = new KeyedTransactions({ open: () => this.#open(), refusalOf })
    const { handle, once } = new Handling(transactions.run, settings)
    this.handle = handle
    this.once = once
  }

  async #open(): Promise<Transaction<Client>> {
    const transaction = await this.#driver.open()
    const { waitSeconds, timeoutSeconds } = this.#settings
    return {
      client: transaction.client,
      insert: async (key) => {
        const begin = this.#sql.begin(key, waitSeconds)
        return (await transaction.begin(begin, waitSeconds + timeoutSeconds)).length > 0
      },
      commit: () =>
        transaction.commit(this.#sql.check).catch((error: unknown) => {
          throw failureToCommit(error)
        }),
      rollback: () => transaction.rollback(),
    }
  }

  async record(webhook: VerifiedDelivery, query: RecordQuery): Promise<boolean> {
    const key = await keyOfDelivery(webhook, this.#settings)
    const { record } = this.#sql
    const answer = await query(Object.assign([...record], { raw: record }), key)
    const rows = Array.isArray(answer) ? answer : (Object(answer) as { readonly rows?: unknown }).rows
    if (Array.isArray(rows)) return rows.length > 0
    throw new TypeError('inbox.record: "query" must return the rows, or an object with "rows"')
  }

  async migrate(): Promise<void> {
    const { waitSeconds, timeoutSeconds } = this.#settings
    const statements = [...BEFORE_MIGRATION, ...schemaFor(this.#table)].join(';\n')
    await this.#driver.execute(statements, waitSeconds + timeoutSeconds)
  }

  prune(options?: PruneOptions): Promise<number> {
    return pruneAll(async () => {
      const [deleted] = await this.#driver.query(this.#sql.prune, [], PRUNE_SECONDS)
      return Number(deleted?.['count'])
    }, options)
  }
}

async function claim(
  driver: Driver<unknown>,
  statement: string,
  values: readonly string[],
): Promise<ReplayClaim['status']> {
  try {
    const [row] = await driver.query(statement, values)
    return row?.['status'] as ReplayClaim['status']
  } catch (error) {
    // The transaction of `handle` holds the key.
    if (isLockTimeout(error)) return 'in-progress'
    throw refusalOf(error)
  }
}
