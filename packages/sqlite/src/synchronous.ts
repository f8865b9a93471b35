import { type Claimed, type Claims, type InboxOutcome } from '@service-signature/inbox'
import { failureToCommit, isBusy, refusalOf } from './failures.js'
import { MIGRATE_SECONDS, type Driver, type Row, type Statements } from './driver.js'
import { whenUnlocked, Writers } from './writers.js'

/** A connection of better-sqlite3, `node:sqlite` or libsql. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): { all(values: Record<string, string>): unknown[] }
}

/** The result of a handler that does not return a promise. */
export type SynchronousResult<Result> = Result & Exclude<Result, PromiseLike<unknown>>

const ASYNCHRONOUS =
  'The handler must be synchronous, and not return a promise: while it waits, statements of other requests would join the ' +
  'transaction. Await what it needs before inbox.handle, and what follows from it after inbox.handle.'

/** A driver without promises. Between BEGIN and COMMIT nothing else of the process runs. */
export class SynchronousDriver<Database extends SqliteDatabase> implements Driver<Database> {
  readonly call = 'database.exec'
  readonly #database: Database
  readonly #sql: Statements
  readonly #writers: Writers

  constructor(database: Database, sql: Statements, waitSeconds: number) {
    this.#database = database
    this.#sql = sql
    this.#writers = new Writers(waitSeconds)
  }

  look(statements: string): Promise<true> {
    return whenUnlocked(() => this.#isExecuted(statements, this.#busyTimeout()), MIGRATE_SECONDS)
  }

  readonly pragma = (statement: string): Promise<readonly Row[]> => Promise.resolve(this.#rows(statement))

  execute(statements: string): Promise<void> {
    return this.#transact(() => void this.#database.exec(statements), MIGRATE_SECONDS)
  }

  rows(sql: string, values: readonly string[]): Promise<readonly Row[]> {
    return this.#transact(() => this.#rows(sql, values))
  }

  readonly once = async <Result>(
    key: string,
    handler: (database: Database) => Result | Promise<Result>,
    claims: Claims,
  ): Promise<InboxOutcome<Result> | Claimed> => {
    // Refused before it begins: its statements after an "await" would be committed one by one.
    if (isAsyncFunction(handler)) throw new TypeError(ASYNCHRONOUS)
    return this.#transact(() => {
      if (this.#rows(this.#sql.insert[claims], [key]).length === 0) {
        const isHandled = claims === 'ignored' || this.#rows(this.#sql.isHandled, [key]).length > 0
        return { outcome: isHandled ? 'duplicate' : 'claimed' }
      }
      const result = handler(this.#database)
      if (!isPromise(result)) return { outcome: 'handled', result }
      result.then(undefined, () => undefined)
      throw new TypeError(ASYNCHRONOUS)
    })
  }

  readonly record = (key: string) => (): boolean => {
    if (isInTransaction(this.#database)) return this.#rows(this.#sql.insert.ignored, [key]).length > 0
    throw new Error(
      'inbox.record: call the function that it gives in a transaction of the database of the inbox',
    )
  }

  /** A statement of the inbox. The values are ?1 and ?2: all drivers accept them by name, and better-sqlite3 only so. */
  #rows(sql: string, values: readonly string[] = []): readonly Row[] {
    const named = Object.fromEntries(values.map((value, index) => [index + 1, value]))
    try {
      return this.#database.prepare(sql).all(named) as readonly Row[]
    } catch (error) {
      throw refusalOf(error)
    }
  }

  /** Runs the work in a transaction. An "await" inside would let statements of other requests join it. */
  async #transact<Result>(work: () => Result, seconds?: number): Promise<Result> {
    const attempt = () => {
      if (this.#begin() === undefined) return undefined
      return { result: this.#finish(work) }
    }
    const [{ result }, endTurn] = await this.#writers.begin(attempt, seconds)
    endTurn()
    return result
  }

  /**
   * Not BEGIN IMMEDIATE: without a write-ahead log, its COMMIT would fail while other connections read.
   *
   * @returns undefined if the file is locked
   */
  #begin(): true | undefined {
    // First, because it refuses a closed database.
    const timeout = this.#busyTimeout()
    const isOfCaller = isInTransaction(this.#database)
    try {
      return this.#isExecuted('BEGIN EXCLUSIVE;SAVEPOINT service_signature_inbox', timeout)
    } catch (error) {
      // It may have begun, and would lock the file for all deliveries.
      if (!isOfCaller) this.#rollback()
      throw refusalOf(error)
    }
  }

  /** Does the work, and commits. The savepoint is missing if the handler has ended the transaction. */
  #finish<Result>(work: () => Result): Result {
    let isDone = false
    try {
      const result = work()
      isDone = true
      this.#database.exec('RELEASE service_signature_inbox;COMMIT')
      return result
    } catch (error) {
      this.#rollback()
      throw isDone ? failureToCommit(error) : error
    }
  }

  /**
   * Runs statements without waiting for the file. By exec: a prepared statement of libsql that finds the file locked prevents
   * each later COMMIT of the connection.
   *
   * @param timeout the busy_timeout of the connection, which is restored
   * @returns undefined if the file is locked
   */
  #isExecuted(statements: string, timeout: number): true | undefined {
    try {
      this.#database.exec('PRAGMA busy_timeout = 0')
      this.#database.exec(statements)
      return true
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${timeout}`)
    }
  }

  #busyTimeout(): number {
    return Number(this.#rows('PRAGMA busy_timeout')[0]!['timeout'])
  }

  #rollback(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // The transaction has ended already.
    }
  }
}

export function isAsyncFunction(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object AsyncFunction]'
}

/** Of a closed database of libsql, `inTransaction` ends the process. */
function isInTransaction(database: object): boolean {
  const { isTransaction, open } = database as { readonly isTransaction?: boolean; readonly open?: boolean }
  return isTransaction ?? (open === true && (database as { readonly inTransaction: boolean }).inTransaction)
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (Object(value) as { readonly then?: unknown }).then === 'function'
}
