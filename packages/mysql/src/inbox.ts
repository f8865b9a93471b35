import type { ReplayClaim } from '@service-signature/core'
import {
  checkInboxOptions,
  poolInbox,
  tableParts,
  type PoolEngine,
  type InboxSettings,
  type Transaction,
  type TransactionInbox,
  type TransactionInboxOptions,
} from '@service-signature/inbox'
import { failureToCommit, LOCK_WAIT_TIMEOUT, numberOf, refusalOf } from './failures.js'
import { DEADLOCKS, Session, type Header, type MysqlClient, type MysqlPool } from './session.js'
import * as sql from './statements.js'

export type MysqlInboxOptions = TransactionInboxOptions

/**
 * Runs a statement in the caller's transaction, and gives the number of affected rows, or the answer of the library: an object with
 * `affectedRows` or `numAffectedRows`, or an array that begins with one. It is called as a template tag, with one value.
 */
export type RecordQuery = (strings: TemplateStringsArray, key: string) => PromiseLike<unknown>

/** An inbox, which is also a `ReplayStore`. `Client` is a connection of the pool. */
export type Inbox<Client> = TransactionInbox<Client, RecordQuery>

/**
 * An inbox in your own MySQL or MariaDB. The key of a delivery is inserted in the transaction that books it, so that the
 * delivery is booked exactly once.
 *
 * @param pool of `mysql2/promise` or `mysql2`; it stays yours to close
 *
 * @example
 * const inbox = mysqlInbox(createPool(url))
 * await inbox.handle(webhook, (connection) => connection.query('UPDATE orders SET paid = 1 WHERE id = ?', [id]))
 *
 * @throws {TypeError} on anything but a pool, or an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function mysqlInbox<Client extends MysqlClient>(
  pool: MysqlPool<Client> | { promise(): MysqlPool<Client> },
  options: MysqlInboxOptions = {},
): Inbox<Client> {
  const settings = checkInboxOptions(options, 'mysqlInbox', ['waitSeconds'])
  if (typeof (Object(pool) as Partial<MysqlPool>).getConnection !== 'function') {
    throw new TypeError('mysqlInbox needs a pool of the package "mysql2" (createPool(url)), not a connection')
  }
  return poolInbox(new MysqlEngine('promise' in pool ? pool.promise() : pool, settings), settings)
}

class MysqlEngine<Client extends MysqlClient> implements PoolEngine<Client, RecordQuery> {
  readonly refusalOf = refusalOf
  readonly #pool: MysqlPool<Client>
  readonly #settings: InboxSettings
  readonly #sql: ReturnType<typeof sql.statementsFor>

  constructor(pool: MysqlPool<Client>, settings: InboxSettings) {
    this.#pool = pool
    this.#settings = settings
    this.#sql = sql.statementsFor(tableParts(settings.table, 64), settings)
  }

  readonly open = async (): Promise<Transaction<Client>> => {
    const { waitSeconds, timeoutSeconds } = this.#settings
    const session = await Session.open(this.#pool, timeoutSeconds)
    let commit = 'COMMIT'
    return {
      client: session.client,
      insert: async (key, claims) => {
        await session.run(sql.begin(0, waitSeconds))
        const insert = this.#sql.insert(key, claims)
        const { insertId } = await session.run(insert, waitSeconds + timeoutSeconds, DEADLOCKS)
        const state = sql.STATES[insertId] ?? 'new'
        if (state !== 'new') return state
        if (insertId === sql.NEW_IN_AUTOCOMMIT) commit = sql.RESTORE
        await session.run(sql.MARK)
        await session.run(sql.OWN_LOCK_WAIT)
        return state
      },
      commit: async () => {
        try {
          await session.run(sql.CHECK)
          await session.run(commit)
        } catch (error) {
          throw failureToCommit(error)
        }
        await session.end()
      },
      rollback: () => session.end('ROLLBACK', sql.RESTORE),
    }
  }

  /** Runs a statement in a transaction of its own. */
  async #run(text: string, seconds = this.#settings.timeoutSeconds): Promise<Header> {
    const session = await Session.open(this.#pool, this.#settings.timeoutSeconds)
    try {
      // The shortest wait for a lock that both MySQL and MariaDB have.
      await session.run(sql.begin(1, 1))
      return await session.run(text, seconds, DEADLOCKS)
    } finally {
      await session.end(sql.RESTORE)
    }
  }

  async claim(key: string, token: string): Promise<ReplayClaim['status']> {
    try {
      return sql.CLAIMS[(await this.#run(this.#sql.claim(key, token))).insertId]!
    } catch (error) {
      // The transaction of `handle` holds the key.
      if (numberOf(error) === LOCK_WAIT_TIMEOUT) return 'in-progress'
      throw refusalOf(error)
    }
  }

  readonly commit = (key: string, token: string) => this.#run(this.#sql.commit(key, token))
  readonly release = (key: string, token: string) => this.#run(this.#sql.release(key, token))

  readonly migrate = () =>
    this.#run(this.#sql.schema, this.#settings.waitSeconds + this.#settings.timeoutSeconds)
  // A batch takes less than a second, unless the disk is slow.
  readonly deleteBatch = async () => (await this.#run(this.#sql.prune, 60)).affectedRows

  async record(key: string, query: RecordQuery): Promise<boolean> {
    for (const texts of this.#sql.record) {
      if (affectedRows(await query(Object.assign([...texts], { raw: texts }), key)) > 0) return true
    }
    return false
  }
}

/** How many rows a statement has changed, in the answers of many libraries. */
function affectedRows(answer: unknown): number {
  const first: unknown = Array.isArray(answer) ? answer[0] : answer
  const { affectedRows, numAffectedRows } = Object(first) as Record<string, unknown>
  const count = affectedRows ?? numAffectedRows ?? first
  if (typeof count === 'number' || typeof count === 'bigint') return Number(count)
  throw new TypeError('inbox.record: "query" must return the number of affected rows, or what mysql2 does')
}
