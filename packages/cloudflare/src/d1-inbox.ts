import type { ReplayClaim } from '@service-signature/core'
import {
  checkInboxOptions,
  keyOf,
  pruneAll,
  sqliteStatements,
  tableParts,
  type InboxOptions,
  type InboxSettings,
  type PruneOptions,
  type VerifiedDelivery,
} from '@service-signature/inbox'
import { answered, checkBinding, RemoteKeys, type Database, type Statement } from './bindings.js'

/**
 * An inbox in your own D1 database. The key of a delivery is inserted in the batch that books it, so that the delivery is
 * booked exactly once.
 *
 * @param db the binding, or a session of it
 *
 * @example
 * const inbox = d1Inbox(env.DB)
 * try {
 *   await env.DB.batch([await inbox.statement(webhook), env.DB.prepare('UPDATE orders ...')])
 * } catch (error) {
 *   if (!inbox.isDuplicate(error)) throw error
 * }
 *
 * @throws {TypeError} if the binding is missing, or on an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function d1Inbox<Prepared extends Statement<Prepared>>(
  db: Database<Prepared>,
  options: InboxOptions = {},
): D1Inbox<Prepared> {
  checkBinding(
    db,
    ['prepare', 'batch'],
    'd1Inbox: expected a D1 database, such as env.DB. wrangler.jsonc must have ' +
      '"d1_databases": [{ "binding": "DB", "database_name": "...", "database_id": "..." }]',
  )
  return new D1Inbox(db, checkInboxOptions(options, 'd1Inbox'))
}

// D1 ends a statement after 30 s.
const PRUNE_SECONDS = 60
const LONGEST_NAME = 100

/** An inbox, which is also a replay store. `Prepared` is the type of a prepared statement of D1. */
export class D1Inbox<Prepared extends Statement<Prepared>> extends RemoteKeys {
  readonly #db: Database<Prepared>
  readonly #settings: InboxSettings
  readonly #sql: ReturnType<typeof sqliteStatements>
  readonly #duplicate: RegExp

  constructor(db: Database<Prepared>, settings: InboxSettings) {
    const { timeoutSeconds, table } = settings
    const parts = tableParts(table, LONGEST_NAME)
    const sql = sqliteStatements(parts, settings)
    const run = async (text: string, ...values: string[]) => {
      const statement = db.prepare(text).bind(...values)
      return answered(timeoutSeconds, statement.all())
    }
    super(
      {
        async claim(key, token) {
          const { results } = await run(sql.claim, key, token)
          return (results[0] as { readonly status: ReplayClaim['status'] }).status
        },
        commit: (key, token) => run(sql.commit, key, token),
        release: (key, token) => run(sql.release, key, token),
      },
      settings,
      reasonOf,
    )
    this.#db = db
    this.#settings = settings
    this.#sql = sql
    this.#duplicate = new RegExp(`^(?:\\w+: )*NOT NULL constraint failed: ${parts.at(-1)!}\\.key\\b`)
  }

  /** Creates the table if it does not exist. */
  readonly migrate = async (): Promise<void> => {
    const statements = this.#sql.schema.map((text) => this.#db.prepare(text))
    await answered(this.#settings.timeoutSeconds, this.#db.batch(statements))
  }

  /**
   * A statement for the batch that books the delivery. D1 runs a batch in one transaction: if the delivery was handled before,
   * this statement fails, and nothing of the batch remains.
   *
   * @param webhookOrKey a verified webhook, or a key of your own of 1 to 255 characters, such as `intent:int_1:PROCESSED`
   * @throws {TypeError | RangeError} on what was not verified, or another key
   */
  readonly statement = async (webhookOrKey: VerifiedDelivery | string): Promise<Prepared> => {
    const key = await keyOf(webhookOrKey, this.#settings, 'inbox.statement')
    return this.#db.prepare(this.#sql.insertOrFail).bind(key)
  }

  /** Whether a batch failed because its delivery was handled before. */
  readonly isDuplicate = (error: unknown): boolean => {
    // D1 reports an error of SQLite as text only. A library over D1 may wrap it, in a message that has values of the batch.
    const { cause } = Object(error) as { readonly cause?: unknown }
    return [error, cause].some((each) => this.#duplicate.test(messageOf(each)))
  }

  /**
   * Deletes the keys that are older than `ttlSeconds`, 10,000 at a time.
   *
   * @returns how many were deleted
   */
  readonly prune = (options?: PruneOptions): Promise<number> =>
    pruneAll(async () => {
      const { meta } = await answered(PRUNE_SECONDS, this.#db.prepare(this.#sql.prune).all())
      return meta.changes
    }, options)
}

function reasonOf(error: unknown): string {
  if (!/\bno such table: /.test(messageOf(error))) return 'the database failed before the handler was called'
  return 'the table of the inbox does not exist; run inbox.migrate() or schema.sql'
}

function messageOf(error: unknown): string {
  return String((Object(error) as { readonly message?: unknown }).message)
}
