import type { ReplayClaim } from '@service-signature/core'
import {
  answerWithin,
  BatchedInbox,
  checkInboxOptions,
  pruneAll,
  sqliteStatements,
  tableParts,
  type BatchEngine,
  type BatchInbox,
  type Claimed,
  type Claims,
  type InboxOptions,
  type InboxOutcome,
  type InboxSettings,
  type KeyState,
  type PruneOptions,
} from '@service-signature/inbox'
import { checkBinding, type Database, type Statement } from './driver.js'
import { failureToCommit, isAboutTable, refusalOf } from './failures.js'
import { migrate } from './migration.js'

/**
 * An inbox in your own D1 database. The key of a delivery is inserted in the batch that books it, so that the delivery is
 * booked exactly once.
 *
 * @param db the binding, or a session of it
 *
 * @example
 * const inbox = d1Inbox(env.DB)
 * const { outcome } = await inbox.handle(webhook, [env.DB.prepare('INSERT INTO payments ...').bind(id)])
 *
 * @throws {TypeError} if the binding is missing, or on an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function d1Inbox<Prepared extends Statement<Prepared>, Result>(
  db: Database<Prepared, Result>,
  options: InboxOptions = {},
): Inbox<Prepared, Result> {
  checkBinding(
    db,
    ['prepare', 'batch'],
    'd1Inbox: expected a D1 database, such as env.DB. wrangler.jsonc must have ' +
      '"d1_databases": [{ "binding": "DB", "database_name": "...", "database_id": "..." }]',
  )
  const settings = checkInboxOptions(options, 'd1Inbox')
  return new D1Inbox(new D1Engine(db, settings), settings)
}

/** An inbox, which is also a `ReplayStore`. `Prepared` and `Result` are the types of D1 for statements and results. */
export interface Inbox<Prepared, Result = unknown> extends BatchInbox<Prepared, readonly Result[]> {
  /**
   * Deletes the keys that are older than `ttlSeconds`, 10,000 at a time.
   *
   * @returns how many were deleted
   */
  readonly prune: (options?: PruneOptions) => Promise<number>
}

// D1 ends a statement after 30 s.
const PRUNE_SECONDS = 60
const LONGEST_NAME = 100

class D1Inbox<Prepared extends Statement<Prepared>, Result>
  extends BatchedInbox<Prepared, readonly Result[]>
  implements Inbox<Prepared, Result>
{
  readonly #engine: D1Engine<Prepared, Result>

  constructor(engine: D1Engine<Prepared, Result>, settings: InboxSettings) {
    super(engine, settings)
    this.#engine = engine
  }

  prune(options?: PruneOptions): Promise<number> {
    return pruneAll(() => this.#engine.deleteBatch(), options)
  }
}

class D1Engine<Prepared extends Statement<Prepared>, Result> implements BatchEngine<
  Prepared,
  readonly Result[]
> {
  readonly entries =
    'an array of prepared statements of D1 that were not run, such as [db.prepare(...).bind(...)]'
  readonly refusalOf = refusalOf
  readonly releasesAtOnce = true
  readonly #db: Database<Prepared, Result>
  readonly #sql: ReturnType<typeof sqliteStatements>
  readonly #table: string
  readonly #timeoutSeconds: number

  constructor(db: Database<Prepared, Result>, settings: InboxSettings) {
    const parts = tableParts(settings.table, LONGEST_NAME)
    this.#db = db
    this.#sql = sqliteStatements(parts, settings)
    this.#table = parts.at(-1)!
    this.#timeoutSeconds = settings.timeoutSeconds
  }

  async send(key: string, claims: Claims, statements: readonly Prepared[]) {
    // The promise of a statement that was run by itself is not part of the transaction.
    const areAll = statements.every((each) => typeof (Object(each) as Partial<Prepared>).bind === 'function')
    if (!areAll) throw new TypeError(`The inbox: expected ${this.entries}`)
    return this.#send(key, claims, [this.#prepared(this.#sql.insertOrFail[claims], key), ...statements])
  }

  async #send(
    key: string,
    claims: Claims,
    statements: Prepared[],
    isRepeated = false,
  ): Promise<InboxOutcome<readonly Result[]> | Claimed> {
    try {
      const [, ...result] = await this.#batch(statements)
      return { outcome: 'handled', result }
    } catch (error) {
      if (!isAboutTable(error, this.#table)) throw failureToCommit(error)
      const state = await this.#stateOf(key)
      if (state === 'handled') return { outcome: 'duplicate' }
      if (claims === 'honoured' && state === 'claimed') return { outcome: 'claimed' }
      // The claim of another request may have ended since the batch failed.
      if (claims === 'honoured' && !isRepeated) return this.#send(key, claims, statements, true)
      throw error
    }
  }

  async #stateOf(key: string): Promise<KeyState> {
    const [row] = await this.#rows(this.#sql.state, key)
    return row === undefined ? 'new' : (row as { readonly state: KeyState }).state
  }

  async claim(key: string, token: string): Promise<ReplayClaim['status']> {
    const [row] = await this.#rows(this.#sql.claim, key, token)
    return (row as { readonly status: ReplayClaim['status'] }).status
  }

  readonly commit = (key: string, token: string) => this.#rows(this.#sql.commit, key, token)
  readonly release = (key: string, token: string) => this.#rows(this.#sql.release, key, token)

  readonly migrate = () =>
    migrate(this.#table, this.#rows, () =>
      this.#batch(this.#sql.schema.map((text) => this.#db.prepare(text))),
    )

  async deleteBatch(): Promise<number> {
    const { meta } = await answerWithin(PRUNE_SECONDS, this.#db.prepare(this.#sql.prune).all())
    return meta.changes
  }

  /** @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE` */
  readonly #rows = async (text: string, ...values: string[]): Promise<readonly unknown[]> => {
    try {
      return (await answerWithin(this.#timeoutSeconds, this.#prepared(text, ...values).all())).results
    } catch (error) {
      throw refusalOf(error)
    }
  }

  #prepared(text: string, ...values: string[]): Prepared {
    return this.#db.prepare(text).bind(...values)
  }

  #batch(statements: Prepared[]): Promise<readonly Result[]> {
    return answerWithin(this.#timeoutSeconds, this.#db.batch(statements))
  }
}
