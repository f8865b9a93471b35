import { WebhookError, type ReplayClaim } from '@service-signature/core'
import {
  checkInboxOptions,
  hasMethods,
  poolInbox,
  PRUNE_BATCH,
  tableParts,
  type Claims,
  type PoolEngine,
  type InboxSettings,
  type Transaction,
  type TransactionInbox,
  type TransactionInboxOptions as InboxOptions,
} from '@service-signature/inbox'
import { failureToCommit, LOCK_WAIT_TIMEOUT, numberOf, refusalOf } from './failures.js'
import { DEADLOCKS, Session, type Header, type MysqlClient, type MysqlPool } from './driver.js'
import { migrate } from './migration.js'
import * as sql from './statements.js'

/**
 * Runs a statement in the caller's transaction, and gives the number of affected rows, or the answer of the library: an object with
 * `affectedRows` or `numAffectedRows`, or an array that begins with one. It is called as a template tag, with one value.
 */
export type RecordQuery = (strings: TemplateStringsArray, key: string) => PromiseLike<unknown>

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
  options: InboxOptions = {},
): Inbox<Client> {
  const settings = checkInboxOptions(options, 'mysqlInbox', ['waitSeconds'])
  if (!hasMethods(pool, 'getConnection')) {
    throw new TypeError('mysqlInbox needs a pool of the package "mysql2" (createPool(url)), not a connection')
  }
  return poolInbox(new MysqlEngine('promise' in pool ? pool.promise() : pool, settings), settings)
}

/** An inbox, which is also a `ReplayStore`. `Client` is a connection of the pool. */
export type Inbox<Client> = TransactionInbox<Client, RecordQuery>

/** For a batch of `prune`, which takes less than a second, unless the disk is slow. */
const PRUNE_SECONDS = 60
/** MariaDB would turn a list of 1,000 keys into a subquery, and lock the whole table. */
const DELETED_AT_ONCE = 500

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
        const insertId = await this.#insert(session, key, claims)
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

  async #insert(session: Session<Client>, key: string, claims: Claims): Promise<number> {
    const { waitSeconds, timeoutSeconds } = this.#settings
    const insert = this.#sql.insert(key, claims)
    try {
      return (await session.run(insert, waitSeconds + timeoutSeconds, DEADLOCKS)).insertId
    } catch (error) {
      if (!(await this.#isInUse(session, key, error))) throw error
      throw new WebhookError('ERR_DELIVERY_IN_PROGRESS', { cause: error })
    }
  }

  /** Whether a statement has failed because another transaction has the key itself, and not one next to it, or the table. */
  async #isInUse(session: Session<Client>, key: string, error: unknown): Promise<boolean> {
    if (numberOf(error) !== LOCK_WAIT_TIMEOUT) return false
    for (const text of sql.SEE_UNCOMMITTED) await session.run(text)
    return (await session.run<unknown[]>(this.#sql.find(key))).length > 0
  }

  /** Runs statements that commit one by one. */
  async #withSession<Result>(work: (session: Session<Client>) => Promise<Result>): Promise<Result> {
    const session = await Session.open(this.#pool, this.#settings.timeoutSeconds)
    try {
      // The shortest wait for a lock that both MySQL and MariaDB have.
      await session.run(sql.begin(1, 1))
      return await work(session)
    } finally {
      await session.end(sql.RESTORE)
    }
  }

  claim(key: string, token: string): Promise<ReplayClaim['status']> {
    return this.#withSession((session) => this.#claim(session, key, token))
  }

  async #claim(session: Session<Client>, key: string, token: string): Promise<ReplayClaim['status']> {
    try {
      return sql.CLAIMS[(await session.run(this.#sql.claim(key, token), undefined, DEADLOCKS)).insertId]!
    } catch (error) {
      if (await this.#isInUse(session, key, error)) return 'in-progress'
      throw error
    }
  }

  readonly commit = (key: string, token: string) => this.#run(this.#sql.commit(key, token))
  readonly release = (key: string, token: string) => this.#run(this.#sql.release(key, token))

  #run(text: string): Promise<Header> {
    return this.#withSession((session) => session.run(text, undefined, DEADLOCKS))
  }

  async record(key: string, query: RecordQuery): Promise<boolean> {
    for (const texts of this.#sql.record) {
      if (affectedRows(await query(Object.assign([...texts], { raw: texts }), key)) > 0) return true
    }
    return false
  }

  readonly migrate = () => this.#withSession((session) => migrate(session, this.#sql, this.#settings.table))

  /** A DELETE of what is old would also lock the first key that is not, and wait for its handler, while deliveries wait for it. */
  readonly deleteBatch = () =>
    this.#withSession(async (session) => {
      let count = 0
      let isLast = false
      // Another process may have deleted some of the keys meanwhile, and a batch that is not full would be the last one.
      while (!isLast && count < PRUNE_BATCH) {
        const limit = PRUNE_BATCH - count
        const rows = await session.run<object[]>(this.#sql.oldKeys(limit), PRUNE_SECONDS)
        isLast = rows.length < limit
        count += await this.#delete(session, rows.map(firstText))
      }
      return count
    })

  async #delete(session: Session<Client>, keys: readonly string[]): Promise<number> {
    let count = 0
    for (let first = 0; first < keys.length; first += DELETED_AT_ONCE) {
      const statement = this.#sql.deleteOld(keys.slice(first, first + DELETED_AT_ONCE))
      count += (await session.run(statement, PRUNE_SECONDS, DEADLOCKS)).affectedRows
    }
    return count
  }
}

/** The first column of a row, whatever the settings of mysql2 make of a row: an object or an array, nested or not, of texts or bytes. */
function firstText(row: object): string {
  const [value] = Object.values(row) as unknown[]
  if (Buffer.isBuffer(value)) return value.toString()
  return typeof value === 'string' ? value : firstText(value as object)
}

/** How many rows a statement has changed, in the answers of many libraries. */
function affectedRows(answer: unknown): number {
  const first: unknown = Array.isArray(answer) ? answer[0] : answer
  const { affectedRows, numAffectedRows } = Object(first) as Record<string, unknown>
  const count = affectedRows ?? numAffectedRows ?? first
  if (typeof count === 'number' || typeof count === 'bigint') return Number(count)
  throw new TypeError('inbox.record: "query" must return the number of affected rows, or what mysql2 does')
}
