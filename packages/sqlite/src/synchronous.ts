import {
  runSynchronously,
  type SqliteRow,
  type SqliteStatements,
  type SynchronousEngine,
} from '@service-signature/inbox'
import { failureToCommit, isBusy, refusalOf } from './failures.js'
import { END, Writers } from './writers.js'

/** A connection of better-sqlite3, `node:sqlite` or libsql. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): { all(values: Record<string, string>): unknown[] }
}

/** The transactions of a driver without promises. Nothing else of the process runs between BEGIN and COMMIT. */
export function synchronousDriver<Database extends SqliteDatabase>(
  database: Database,
  sql: SqliteStatements,
  waitSeconds: number,
) {
  const writers = new Writers()
  const rows = (statement: string, ...values: string[]) => rowsOf(database, statement, values)
  const engine: SynchronousEngine<Database> = {
    database,
    async transact(work) {
      const [{ result }, end] = await writers.next(waitSeconds, () => transacted(database, work))
      end()
      return result
    },
    insert(key, claims) {
      if (rows(sql.insert[claims], key).length > 0) return 'new'
      return claims === 'ignored' || rows(sql.isHandled, key).length > 0 ? 'handled' : 'claimed'
    },
  }
  return {
    once: runSynchronously(engine),
    /** @returns a function that inserts the key in a transaction of the caller */
    record: (key: string) => (): boolean => {
      if (isInTransaction(database)) return engine.insert(key, 'ignored') === 'new'
      throw new Error('inbox.record: call the function that it gives in a transaction of the same database')
    },
    /** Runs a statement in a transaction of its own. */
    rows: (statement: string, ...values: string[]) => engine.transact(() => rows(statement, ...values)),
    /** Runs statements, with no other lock than theirs, and then one that has rows. */
    async execute(statements: string, last: string, seconds: number) {
      await new Writers().next(seconds, () => isExecuted(database, statements) || undefined)
      return rows(last)
    },
  }
}

/**
 * The result of the work in a transaction, or undefined if the file is locked. Without "await" between BEGIN and COMMIT,
 * because statements of other requests would join the transaction.
 */
function transacted<Result>(
  database: SqliteDatabase,
  work: () => Result,
): { readonly result: Result } | undefined {
  const isOfCaller = isInTransaction(database)
  // An error of BEGIN is a refusal, one of the work is passed on, and one of COMMIT is explained.
  let rethrown: (error: unknown) => unknown = refusalOf
  try {
    // Not BEGIN IMMEDIATE: without a write-ahead log, its COMMIT would fail while other connections read.
    if (!isExecuted(database, 'BEGIN EXCLUSIVE;SAVEPOINT service_signature_inbox')) return undefined
    rethrown = (error) => error
    const result = work()
    rethrown = failureToCommit
    database.exec(END)
    return { result }
  } catch (error) {
    try {
      // Also if BEGIN failed: the transaction may have begun, and would lock the file for all deliveries.
      if (!isOfCaller) database.exec('ROLLBACK')
    } catch {
      // The transaction has ended already.
    }
    throw rethrown(error)
  }
}

/**
 * Whether the file was unlocked. By exec: a prepared statement of libsql that finds the file locked prevents each later COMMIT
 * of the connection.
 */
function isExecuted(database: SqliteDatabase, statements: string): boolean {
  const [own] = rowsOf(database, 'PRAGMA busy_timeout', [])
  try {
    database.exec('PRAGMA busy_timeout = 0')
    database.exec(statements)
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  } finally {
    database.exec(`PRAGMA busy_timeout = ${String(own!['timeout'])}`)
  }
}

/** The values are ?1 and ?2: all drivers accept them by name, and better-sqlite3 only so. */
function rowsOf(database: SqliteDatabase, sql: string, values: readonly string[]): readonly SqliteRow[] {
  try {
    const named = Object.fromEntries(values.map((value, index) => [index + 1, value]))
    return database.prepare(sql).all(named) as readonly SqliteRow[]
  } catch (error) {
    throw refusalOf(error)
  }
}

function isInTransaction(database: object): boolean {
  const state = database as Readonly<Record<string, unknown>>
  // Only an open one is asked: otherwise node:sqlite throws, and libsql ends the process.
  if ((state['isOpen'] ?? state['open']) !== true) return false
  return (state['isTransaction'] ?? state['inTransaction']) === true
}
