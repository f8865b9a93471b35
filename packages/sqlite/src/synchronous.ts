import {
  runSynchronously,
  type Claims,
  type KeyState,
  type RunOnce,
  type SqliteRow,
  type SqliteStatements,
} from '@service-signature/inbox'
import { failureToCommit, isBusy, refusalOf, whenUnlocked } from './failures.js'

/** A connection of better-sqlite3, `node:sqlite` or libsql. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): { all(values: Record<string, string>): unknown[] }
}

/** A driver without promises. Between BEGIN and COMMIT nothing else of the process runs. */
export class SynchronousDriver<Database extends SqliteDatabase> {
  readonly once: RunOnce<Database>
  readonly #database: Database
  readonly #sql: SqliteStatements
  readonly #waitSeconds: number
  /** Settles when all transactions have ended. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(database: Database, sql: SqliteStatements, waitSeconds: number) {
    this.#database = database
    this.#sql = sql
    this.#waitSeconds = waitSeconds
    this.once = runSynchronously({ database, transact: this.#transact, insert: this.#insert })
  }

  /** @returns a function that inserts the key in a transaction of the caller */
  readonly record = (key: string) => (): boolean => {
    if (isInTransaction(this.#database)) return this.#insert(key, 'ignored') === 'new'
    throw new Error('inbox.record: call the function that it gives in a transaction of the same database')
  }

  /** Runs a statement in a transaction of its own. */
  rows(sql: string, ...values: readonly string[]): Promise<readonly SqliteRow[]> {
    return this.#transact(() => this.#rows(sql, ...values))
  }

  /** Runs statements, with no other lock than theirs, and then one that has rows. */
  async execute(statements: string, last: string, seconds: number): Promise<readonly SqliteRow[]> {
    await whenUnlocked(() => this.#isExecuted(statements) || undefined, seconds)
    return this.#rows(last)
  }

  /** Does the work in a transaction, after those that were asked for before. */
  readonly #transact = async <Result>(work: () => Result): Promise<Result> => {
    const since = performance.now()
    // Without "await" between its begin and its end, because statements of other requests would join the transaction.
    const attempt = () => (this.#hasBegun() ? { result: this.#commit(work) } : undefined)
    const transaction = this.#last.then(() => whenUnlocked(attempt, this.#waitSeconds, since))
    this.#last = transaction.catch(() => undefined)
    return (await transaction).result
  }

  /** Not BEGIN IMMEDIATE: without a write-ahead log, its COMMIT would fail while other connections read. */
  #hasBegun(): boolean {
    const isOfCaller = isInTransaction(this.#database)
    try {
      return this.#isExecuted('BEGIN EXCLUSIVE;SAVEPOINT service_signature_inbox')
    } catch (error) {
      // It may have begun, and would lock the file for all deliveries.
      if (!isOfCaller) this.#rollback()
      throw refusalOf(error)
    }
  }

  readonly #insert = (key: string, claims: Claims): KeyState => {
    if (this.#rows(this.#sql.insert[claims], key).length > 0) return 'new'
    return claims === 'ignored' || this.#rows(this.#sql.isHandled, key).length > 0 ? 'handled' : 'claimed'
  }

  #commit<Result>(work: () => Result): Result {
    let isDone = false
    try {
      const result = work()
      isDone = true
      // The savepoint is missing if the handler has ended the transaction.
      this.#database.exec('RELEASE service_signature_inbox;COMMIT')
      return result
    } catch (error) {
      this.#rollback()
      throw isDone ? failureToCommit(error) : error
    }
  }

  #rollback(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // The transaction has ended already.
    }
  }

  /**
   * Whether the file was unlocked. By exec: a prepared statement of libsql that finds the file locked prevents each later COMMIT
   * of the connection.
   */
  #isExecuted(statements: string): boolean {
    const [own] = this.#rows('PRAGMA busy_timeout')
    try {
      this.#database.exec('PRAGMA busy_timeout = 0')
      this.#database.exec(statements)
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${String(own!['timeout'])}`)
    }
  }

  /** The values are ?1 and ?2: all drivers accept them by name, and better-sqlite3 only so. */
  #rows(sql: string, ...values: readonly string[]): readonly SqliteRow[] {
    try {
      const named = Object.fromEntries(values.map((value, index) => [index + 1, value]))
      return this.#database.prepare(sql).all(named) as readonly SqliteRow[]
    } catch (error) {
      throw refusalOf(error)
    }
  }
}

function isInTransaction(database: object): boolean {
  const state = database as Readonly<Record<string, unknown>>
  // Only an open one is asked: otherwise node:sqlite throws, and libsql ends the process.
  if ((state['isOpen'] ?? state['open']) !== true) return false
  return (state['isTransaction'] ?? state['inTransaction']) === true
}
