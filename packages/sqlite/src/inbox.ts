import {
  checkInboxOptions,
  KeyedInbox,
  sqliteStatements,
  tableParts,
  type InboxOutcome,
  type InboxStatements,
  type TransactionInbox,
  type TransactionInboxOptions,
  type VerifiedDelivery,
} from '@service-signature/inbox'
import { setImmediate } from 'node:timers/promises'
import type { Driver } from './driver.js'
import { refusalOf } from './failures.js'
import { warnUnlessDurable } from './durability.js'
import { AsynchronousDriver, type LibsqlClient, type LibsqlTransaction } from './asynchronous.js'
import { migrate } from './migration.js'
import {
  isAsyncFunction,
  SynchronousDriver,
  type SqliteDatabase,
  type SynchronousResult,
} from './synchronous.js'

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
): Inbox<Database>
export function sqliteInbox<Client extends LibsqlTransaction>(
  client: LibsqlClient<Client>,
  options?: InboxOptions,
): Inbox<Client>
export function sqliteInbox(database: unknown, options: InboxOptions = {}): unknown {
  const settings = checkInboxOptions(options, 'sqliteInbox', ['waitSeconds'])
  // SQLite has no limit for names.
  const parts = tableParts(settings.table, 255)
  const sql = sqliteStatements(parts, settings)
  const inboxOver = <Client>(driver: Driver<Client>) => {
    const statements = statementsOf(driver, sql, async () => {
      await migrate(driver, sql, settings.table)
      await warnUnlessDurable(database as object, driver, parts.length > 1 ? parts[0]! : 'main')
    })
    return new KeyedInbox(driver.once, statements, settings)
  }
  const { exec, prepare, executeMultiple, transaction, protocol } = Object(database) as Record<
    string,
    unknown
  >
  // Not read, because libsql ends the process if the database is closed.
  const hasState = 'inTransaction' in Object(database) || 'isTransaction' in Object(database)
  if (hasState && areFunctions(exec, prepare) && !isAsyncFunction(prepare)) {
    return inboxOver(new SynchronousDriver(database as SqliteDatabase, sql, settings.waitSeconds))
  }
  if (protocol === 'file' && areFunctions(executeMultiple, transaction)) {
    return inboxOver(new AsynchronousDriver(database as LibsqlClient, sql, settings.waitSeconds))
  }
  throw new TypeError(
    'sqliteInbox needs a database of better-sqlite3, libsql or node:sqlite (Node 22.16 or later), or a client of ' +
      '@libsql/client with a "file:" URL',
  )
}

function areFunctions(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'function')
}

/** The handler gets the database, or the transaction of `@libsql/client`, which alone may be used with promises. */
type Handler<Client, Result> = (
  client: Client,
) => Client extends LibsqlTransaction ? Result | Promise<Result> : SynchronousResult<Result>

/** An inbox, which is also a `ReplayStore`. Only the handlers over `@libsql/client` may return a promise. */
export interface Inbox<Client> extends Omit<TransactionInbox<Client, unknown>, 'handle' | 'once' | 'record'> {
  /**
   * Runs the handler in a transaction, unless the delivery was handled before. If the handler fails, nothing of its
   * transaction remains, and a retry of the delivery is handled.
   *
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`: the sender should retry
   * @throws {TypeError} if it was called for this webhook before, and that call has not failed; or on a handler with promises
   * @throws {unknown} the error of the handler, or of the COMMIT
   */
  readonly handle: <Result>(
    webhook: VerifiedDelivery,
    handler: Handler<Client, Result>,
  ) => Promise<InboxOutcome<Result>>

  /** The same for a key of your own of 1 to 255 characters, such as `intent:int_1:PROCESSED`. */
  readonly once: <Result>(key: string, handler: Handler<Client, Result>) => Promise<InboxOutcome<Result>>

  /**
   * Records the delivery in a transaction of your own: that of `@libsql/client` is the second argument. Over the other
   * drivers, it resolves to the function that records, which you call in your transaction.
   *
   * @returns whether the delivery is new; if not, leave it
   */
  readonly record: Client extends LibsqlTransaction
    ? (webhook: VerifiedDelivery, transaction: LibsqlTransaction) => Promise<boolean>
    : (webhook: VerifiedDelivery) => Promise<() => boolean>
}

function statementsOf(
  driver: Omit<Driver<never>, 'once'>,
  sql: ReturnType<typeof sqliteStatements>,
  migrateAll: () => Promise<void>,
): InboxStatements<unknown, unknown> {
  return {
    async claim(key, token) {
      const [row] = await driver.rows(sql.claim, [key, token])
      return row!['status'] as 'new' | 'in-progress' | 'done'
    },
    commit: (key, token) => driver.rows(`${sql.commit} RETURNING 1`, [key, token]),
    release: (key, token) => driver.rows(`${sql.release} RETURNING 1`, [key, token]),
    refusalOf,
    record: driver.record.bind(driver),
    migrate: migrateAll,
    async deleteBatch() {
      // Requests come between two batches.
      await setImmediate()
      return (await driver.rows(`${sql.prune} RETURNING 1`, [])).length
    },
  }
}
