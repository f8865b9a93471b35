import {
  checkInboxOptions,
  hasMethods,
  isAsyncFunction,
  KeyedInbox,
  sqliteStatements,
  tableParts,
  type RunOnce,
  type SynchronousInbox,
  type TransactionInbox,
  type TransactionInboxOptions,
} from '@service-signature/inbox'
import { setImmediate } from 'node:timers/promises'
import { asynchronousDriver, type LibsqlClient, type LibsqlTransaction } from './asynchronous.js'
import { refusalOf } from './failures.js'
import { migrate } from './migration.js'
import { synchronousDriver, type SqliteDatabase } from './synchronous.js'

export type InboxOptions = Omit<TransactionInboxOptions, 'timeoutSeconds'>

/**
 * An inbox in your own SQLite database. The key of a delivery is inserted in the transaction that books it, so that the
 * delivery is booked exactly once.
 *
 * @param database of better-sqlite3, `node:sqlite` or libsql, or a client of `@libsql/client`; it stays yours to close
 *
 * @example
 * const inbox = sqliteInbox(new Database('shop.db'))
 * await inbox.handle(webhook, (database) => database.prepare('UPDATE orders SET paid = 1 WHERE id = ?').run(id))
 *
 * @throws {TypeError} on a database of another package, or an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function sqliteInbox<Database extends SqliteDatabase>(
  database: Database,
  options?: InboxOptions,
): SynchronousInbox<Database>
export function sqliteInbox<Client extends LibsqlTransaction>(
  client: LibsqlClient<Client>,
  options?: InboxOptions,
): TransactionInbox<Client, LibsqlTransaction>
export function sqliteInbox(database: object, options: InboxOptions = {}): unknown {
  const settings = checkInboxOptions(options, 'sqliteInbox', ['waitSeconds'])
  // SQLite has no limit for names.
  const table = tableParts(settings.table, 255)
  const sql = sqliteStatements(table, settings)
  const driver = driverFor(database, sql, settings.waitSeconds)
  const statements = {
    claim: async (key: string, token: string) =>
      (await driver.rows(sql.claim, key, token))[0]!['status'] as 'new',
    commit: (key: string, token: string) => driver.rows(`${sql.commit} RETURNING 1`, key, token),
    release: (key: string, token: string) => driver.rows(`${sql.release} RETURNING 1`, key, token),
    refusalOf,
    record: (key: string, transaction: unknown): unknown => driver.record(key, transaction),
    migrate: () => migrate(database, driver, sql, table),
    async deleteBatch() {
      // Requests come between two batches.
      await setImmediate()
      return (await driver.rows(`${sql.prune} RETURNING 1`)).length
    },
  }
  return new KeyedInbox(driver.once as RunOnce<never>, statements, settings)
}

/** @throws {TypeError} if it is not a database of a supported package */
function driverFor(database: object, ...others: [ReturnType<typeof sqliteStatements>, number]) {
  // Not read, because libsql ends the process if the database is closed.
  const hasState = 'inTransaction' in Object(database) || 'isTransaction' in Object(database)
  const { prepare, protocol } = Object(database) as Partial<Record<string, unknown>>
  if (hasState && hasMethods(database, 'exec', 'prepare') && !isAsyncFunction(prepare))
    return synchronousDriver(database as SqliteDatabase, ...others)
  if (protocol === 'file' && hasMethods(database, 'executeMultiple', 'transaction'))
    return asynchronousDriver(database as LibsqlClient, ...others)
  throw new TypeError(
    'sqliteInbox needs a database of better-sqlite3, libsql or node:sqlite (Node 22.16 or later), or a client of ' +
      '@libsql/client with a "file:" URL',
  )
}
