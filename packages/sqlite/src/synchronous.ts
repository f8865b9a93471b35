import {
  runSynchronously,
  type Claims,
  type KeyState,
  type RunOnce,
  type SqliteRow,
  type SqliteStatements,
} from '@service-signature/inbox'
import { failureToCommit, isBusy, refusalOf } from './failures.js'
import { Attempts } from './attempts.js'

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
    const attempts = new Attempts(seconds)
    while (!this.#isExecuted(statements)) await attempts.next()
    return this.#rows(last)
  }

  /** Does the work in a transaction, after those that were asked for before. */
  readonly #transact = <Result>(work: () => Result): Promise<Result> => {
    const attempts = new Attempts(this.#waitSeconds)
    const transaction = this.#last.then(async () => {
      while (!this.#hasBegun()) await attempts.next()
      // From here on without "await", because statements of other requests would join the transaction.
      return this.#commit(work)
    })
    this.#last = transaction.catch(() => undefined)
    return transaction
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
   * Runs statements without waiting for the file. By exec: a prepared statement of libsql that finds the file locked prevents
   * each later COMMIT of the connection.
   *
   * @returns false if the file is locked
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

/** Only an open one is asked: otherwise node:sqlite throws, and libsql ends the process. */
function isInTransaction(database: object): boolean {
  const { isOpen, open } = database as Readonly<Record<string, unknown>>
  if ((isOpen ?? open) !== true) return false
  const { isTransaction, inTransaction } = database as Readonly<Record<string, unknown>>
  return (isTransaction ?? inTransaction) === true
}
