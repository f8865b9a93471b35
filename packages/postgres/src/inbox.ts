import { createHash, randomUUID } from 'node:crypto'
import {
  deliveryKey,
  type ReplayClaim,
  type ReplayStore,
  type SignatureProof,
  type VerifiedWebhook,
} from '@service-signature/core'
import { checkReplayKey } from '@service-signature/core/node'
import type { Driver } from './driver.js'
import { driverFor } from './drivers.js'
import { isLockTimeout, refusalOf } from './failures.js'
import { KeyedTransactions, type InboxOutcome } from './keyed-transactions.js'
import { checkInboxOptions, type PostgresInboxOptions } from './options.js'
import type { PgClient, PgPool } from './pg.js'
import type { PgliteDatabase, PgliteTransaction } from './pglite.js'
import type { PostgresJs, PostgresJsTransaction } from './postgres-js.js'
import { BEFORE_MIGRATION, PRUNE_BATCH, schemaFor, statementsFor, type Row } from './statements.js'

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
  const settings = checkInboxOptions(options)
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
    webhook: VerifiedWebhook | SignatureProof,
    handler: (client: Client) => Result | Promise<Result>,
  ) => Promise<InboxOutcome<Result>>

  /**
   * Records the delivery in a transaction of your own. If `query` runs outside of that transaction, nothing is promised.
   *
   * @returns whether the delivery is new; if not, leave it
   */
  readonly record: (webhook: VerifiedWebhook | SignatureProof, query: RecordQuery) => Promise<boolean>

  /**
   * Deletes the keys that are older than `ttlSeconds`, 10,000 at a time.
   *
   * @returns how many were deleted
   */
  readonly prune: (options?: { readonly signal?: AbortSignal }) => Promise<number>

  readonly claim: (key: string) => Promise<ReplayClaim>
  readonly commit: (key: string, token: string) => Promise<void>
  readonly release: (key: string, token: string) => Promise<void>
  readonly ttlSeconds: number
  readonly leaseSeconds: number
}

// A batch of 10,000 keys is deleted in less than a second, unless the disk is slow.
const PRUNE_SECONDS = 60

const HANDLED_TWICE =
  'inbox.handle was called twice for one webhook, and the work of the second call would be left out as a duplicate. ' +
  'Do all of its work in one handler, or give the second one an inbox with a table of its own.'

class PostgresInbox<Client> implements Inbox<Client> {
  readonly ttlSeconds: number
  readonly leaseSeconds: number
  readonly #driver: Driver<Client>
  readonly #settings: ReturnType<typeof checkInboxOptions>
  readonly #sql: ReturnType<typeof statementsFor>
  readonly #transactions: KeyedTransactions<Client>
  /** The webhooks that are being handled, that were handled, and that were duplicates. */
  readonly #handled = new WeakSet()

  constructor(driver: Driver<Client>, settings: ReturnType<typeof checkInboxOptions>) {
    this.ttlSeconds = settings.ttlSeconds
    this.leaseSeconds = settings.leaseSeconds
    this.#driver = driver
    this.#settings = settings
    this.#sql = statementsFor(settings.table, settings)
    this.#transactions = new KeyedTransactions(driver, settings)
  }

  async handle<Result>(
    webhook: VerifiedWebhook | SignatureProof,
    handler: (client: Client) => Result | Promise<Result>,
  ): Promise<InboxOutcome<Result>> {
    if (typeof handler !== 'function') {
      throw new TypeError(`inbox.handle: expected a handler, (client) => Promise, got ${typeof handler}`)
    }
    const key = await this.#keyOf(webhook)
    if (this.#handled.has(webhook)) throw new TypeError(HANDLED_TWICE)
    this.#handled.add(webhook)
    try {
      return await this.#transactions.run(key, handler)
    } catch (error) {
      this.#handled.delete(webhook)
      throw error
    }
  }

  async record(webhook: VerifiedWebhook | SignatureProof, query: RecordQuery): Promise<boolean> {
    const key = await this.#keyOf(webhook)
    const { record } = this.#sql
    const answer = await query(Object.assign([...record], { raw: record }), key)
    const rows = Array.isArray(answer) ? answer : (Object(answer) as { readonly rows?: unknown }).rows
    if (Array.isArray(rows)) return rows.length > 0
    throw new TypeError('inbox.record: "query" must return the rows, or an object with "rows"')
  }

  async migrate(): Promise<void> {
    const { table, waitSeconds, timeoutSeconds } = this.#settings
    const statements = [...BEFORE_MIGRATION, ...schemaFor(table)].join(';\n')
    await this.#driver.execute(statements, waitSeconds + timeoutSeconds)
  }

  async prune({ signal }: { readonly signal?: AbortSignal } = {}): Promise<number> {
    let total = 0
    let count: number
    do {
      signal?.throwIfAborted()
      const [deleted] = await this.#driver.query(this.#sql.prune, [], PRUNE_SECONDS)
      count = Number(deleted?.['count'])
      total += count
    } while (count === PRUNE_BATCH)
    return total
  }

  async claim(key: string): Promise<ReplayClaim> {
    const token = randomUUID()
    let rows: readonly Row[]
    try {
      rows = await this.#driver.query(this.#sql.claim, [storedKey(key), token])
    } catch (error) {
      // The transaction of `handle` holds the key.
      if (isLockTimeout(error)) return { status: 'in-progress', token: '' }
      throw refusalOf(error)
    }
    const status = rows[0]?.['status'] as ReplayClaim['status']
    return { status, token: status === 'new' ? token : '' }
  }

  async commit(key: string, token: string): Promise<void> {
    await this.#driver.query(this.#sql.commit, [storedKey(key), token])
  }

  async release(key: string, token: string): Promise<void> {
    await this.#driver.query(this.#sql.release, [storedKey(key), token])
  }

  async #keyOf(webhook: VerifiedWebhook | SignatureProof): Promise<string> {
    const { rawBody, keyFingerprint } = Object(webhook) as Partial<SignatureProof>
    if (!(rawBody instanceof Uint8Array) || typeof keyFingerprint !== 'string') {
      throw new TypeError('The inbox: expected a webhook that was verified, such as req.webhook')
    }
    const { replayKey } = this.#settings
    if (replayKey === undefined) return storedKey(await deliveryKey(webhook))
    if ('event' in webhook) return storedKey(checkReplayKey(replayKey(webhook)))
    throw new TypeError('The inbox: "replayKey" needs a webhook with its event, as verify() returns it')
  }
}

/** A key as it is stored. A key of an index has at most 2,700 bytes, and no text of PostgreSQL has a NUL. */
function storedKey(key: string): string {
  const isPlain = key.length <= 255 && !key.includes('\0') && !key.startsWith('sha256:')
  return isPlain ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`
}
