import type { ReplayClaim } from '@service-signature/core'
import {
  retryOnConflict,
  checkInboxOptions,
  hasMethods,
  poolInbox,
  tableParts,
  type PoolEngine,
  type InboxSettings,
  type Transaction,
  type TransactionInbox,
  type TransactionInboxOptions as InboxOptions,
} from '@service-signature/inbox'
import type { Driver } from './driver.js'
import { failureToCommit, isConflict, isKeyLocked, refusalOf } from './failures.js'
import { migrate } from './migration.js'
import { PgDriver, type PgClient, type PgPool } from './pg.js'
import { PgliteDriver, type PgliteDatabase, type PgliteTransaction } from './pglite.js'
import { PostgresJsDriver, type PostgresJs, type PostgresJsTransaction } from './postgres-js.js'
import { statementsFor, type Row } from './statements.js'

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
  options?: InboxOptions,
): Inbox<Client>
export function postgresInbox<Client extends PostgresJsTransaction>(
  pool: PostgresJs<Client>,
  options?: InboxOptions,
): Inbox<Client>
export function postgresInbox<Client extends PgliteTransaction>(
  pool: PgliteDatabase<Client>,
  options?: InboxOptions,
): Inbox<Client>
export function postgresInbox(
  pool: PgPool | PostgresJs | PgliteDatabase,
  options: InboxOptions = {},
): Inbox<unknown> {
  const settings = checkInboxOptions(options, 'postgresInbox', ['waitSeconds'])
  return poolInbox(new PostgresEngine(driverFor(pool, settings.timeoutSeconds), settings), settings)
}

/** @throws {TypeError} if it is not a pool of a supported package */
function driverFor(pool: unknown, seconds: number): Driver<unknown> {
  const { totalCount } = Object(pool) as { readonly totalCount?: unknown }
  if (hasMethods(pool, 'connect', 'on') && typeof totalCount === 'number')
    return new PgDriver(pool as PgPool, seconds)
  if (typeof pool === 'function' && hasMethods(pool, 'begin', 'unsafe'))
    return new PostgresJsDriver(pool as unknown as PostgresJs, seconds)
  if (hasMethods(pool, 'transaction', 'query', 'exec'))
    return new PgliteDriver(pool as PgliteDatabase, seconds)
  throw new TypeError(
    'postgresInbox needs a pool of the package "pg" (new Pool()), "postgres" (postgres(url)) or ' +
      '"@electric-sql/pglite" (new PGlite()), not a single client or a transaction',
  )
}

/** An inbox, which is also a `ReplayStore`. `Client` is what the pool's package calls a client in a transaction. */
export type Inbox<Client> = TransactionInbox<Client, RecordQuery>

// A batch of 10,000 keys is deleted in less than a second, unless the disk is slow.
const PRUNE_SECONDS = 60

class PostgresEngine<Client> implements PoolEngine<Client, RecordQuery> {
  readonly refusalOf = refusalOf
  readonly isConflict = isConflict
  readonly #driver: Driver<Client>
  readonly #settings: InboxSettings
  readonly #table: readonly string[]
  readonly #sql: ReturnType<typeof statementsFor>

  constructor(driver: Driver<Client>, settings: InboxSettings) {
    this.#driver = driver
    this.#settings = settings
    // PostgreSQL cuts longer names off at 63 letters, and the index has the name of the table and a suffix.
    this.#table = tableParts(settings.table, 58)
    this.#sql = statementsFor(this.#table, settings)
  }

  readonly open = async (): Promise<Transaction<Client>> => {
    const transaction = await this.#driver.open()
    const { waitSeconds, timeoutSeconds } = this.#settings
    return {
      client: transaction.client,
      insert: async (key, claims) => {
        const begin = this.#sql.begin(key, waitSeconds, claims)
        if ((await transaction.begin(begin, waitSeconds + timeoutSeconds)).length > 0) return 'new'
        if (claims === 'ignored') return 'handled'
        return (await transaction.query(this.#sql.handled(key))).length > 0 ? 'handled' : 'claimed'
      },
      commit: () =>
        transaction.commit(this.#sql.check).catch((error: unknown) => {
          throw failureToCommit(error)
        }),
      rollback: () => transaction.rollback(),
    }
  }

  async claim(key: string, token: string): Promise<ReplayClaim['status']> {
    try {
      const [row] = await this.#query(this.#sql.claim, [key, token])
      return row?.['status'] as ReplayClaim['status']
    } catch (error) {
      // The transaction of `handle` holds the key.
      if (isKeyLocked(error)) return 'in-progress'
      throw error
    }
  }

  readonly commit = (key: string, token: string) => this.#query(this.#sql.commit, [key, token])
  readonly release = (key: string, token: string) => this.#query(this.#sql.release, [key, token])

  async record(key: string, query: RecordQuery): Promise<boolean> {
    const { record } = this.#sql
    const answer = await query(Object.assign([...record], { raw: record }), key)
    const rows = Array.isArray(answer) ? answer : (Object(answer) as { readonly rows?: unknown }).rows
    if (Array.isArray(rows)) return rows.length > 0
    throw new TypeError('inbox.record: "query" must return the rows, or an object with "rows"')
  }

  migrate(): Promise<void> {
    return migrate(this.#driver, this.#table, this.#settings)
  }

  async deleteBatch(): Promise<number> {
    const [deleted] = await this.#query(this.#sql.prune, [], PRUNE_SECONDS)
    return Number(deleted?.['count'])
  }

  #query(statement: string, values: readonly string[], seconds?: number): Promise<readonly Row[]> {
    return retryOnConflict(this, () => this.#driver.query(statement, values, seconds))
  }
}
