import type { ReplayClaim, ReplayStore } from '@service-signature/core'
import {
  answerWithin,
  checkInboxOptions,
  Handling,
  joinedOf,
  OwnClaims,
  pruneAll,
  sqliteStatements,
  StoredKeys,
  tableParts,
  type Claimed,
  type Claims,
  type InboxOptions,
  type InboxOutcome,
  type InboxSettings,
  type Joined,
  type KeyState,
  type PruneOptions,
  type VerifiedDelivery,
} from '@service-signature/inbox'
import { checkBinding, type Database, type Statement } from './driver.js'
import { failureOfBatch, isAboutTable, refusalOf } from './failures.js'

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
  return new BatchInbox(db, checkInboxOptions(options, 'd1Inbox'))
}

/** An inbox, which is also a {@link ReplayStore}. `Prepared` and `Result` are the types of D1 for statements and results. */
export interface Inbox<Prepared, Result = unknown> extends ReplayStore {
  /** Creates the table if it does not exist. */
  readonly migrate: () => Promise<void>

  /**
   * Sends the statements in one batch with the key of the delivery. D1 runs a batch in one transaction: if the delivery was
   * handled before, nothing of the batch remains.
   *
   * @param statements an array, or a function that makes it, which also runs for a duplicate
   * @returns `handled` with the results of the statements, or `duplicate`
   * @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE`: the sender should retry
   * @throws {TypeError} if it was called for this webhook before, and that call has not failed
   * @throws {unknown} the error of a statement
   */
  readonly handle: (
    webhook: VerifiedDelivery,
    statements: Joined<Prepared>,
  ) => Promise<InboxOutcome<readonly Result[]>>

  /**
   * The same for a key of your own, such as `intent:int_1:PROCESSED`. The keys that `replayKey` makes are in the same place:
   * while an endpoint with `replay: inbox` handles the same key, it throws `ERR_DELIVERY_IN_PROGRESS`.
   *
   * @param key 1 to 255 characters
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`
   * @throws {TypeError | RangeError} on another key
   */
  readonly once: (key: string, statements: Joined<Prepared>) => Promise<InboxOutcome<readonly Result[]>>

  /**
   * Deletes the keys that are older than `ttlSeconds`, 10,000 at a time.
   *
   * @returns how many were deleted
   */
  readonly prune: (options?: PruneOptions) => Promise<number>

  readonly claim: (key: string) => Promise<ReplayClaim>
  readonly commit: (key: string, token: string) => Promise<void>
  readonly release: (key: string, token: string) => Promise<void>
  readonly ttlSeconds: number
  readonly leaseSeconds: number
}

// D1 ends a statement after 30 s.
const PRUNE_SECONDS = 60
const LONGEST_NAME = 100

const STATEMENTS =
  'an array of prepared statements of D1 that were not run, such as [db.prepare(...).bind(...)]'

/** Each column, and whether the index is there. */
const LOOK = `SELECT name, pk, EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?2) AS has_index FROM pragma_table_info(?1)`
const COLUMNS = ['key', 'handled_at', 'claim_token', 'claimed_until']

interface Column {
  readonly name: string
  readonly pk: number
  readonly has_index: number
}

/** Runs one statement of the inbox, and returns its rows. @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE` */
type Run = (text: string, ...values: string[]) => Promise<readonly unknown[]>

class BatchInbox<Prepared extends Statement<Prepared>, Result>
  extends StoredKeys
  implements Inbox<Prepared, Result>
{
  readonly #db: Database<Prepared, Result>
  readonly #handling: Handling
  readonly #run: Run
  readonly #sql: ReturnType<typeof sqliteStatements>
  readonly #table: string
  readonly #timeoutSeconds: number

  constructor(db: Database<Prepared, Result>, settings: InboxSettings) {
    const { timeoutSeconds, leaseSeconds } = settings
    const parts = tableParts(settings.table, LONGEST_NAME)
    const sql = sqliteStatements(parts, settings)
    const run: Run = async (text, ...values) => {
      try {
        const statement = db.prepare(text).bind(...values)
        return (await answerWithin(timeoutSeconds, statement.all())).results
      } catch (error) {
        throw refusalOf(error)
      }
    }
    const ownClaims = new OwnClaims(leaseSeconds)
    super(
      {
        async claim(key, token) {
          const [row] = await run(sql.claim, key, token)
          return (row as { readonly status: ReplayClaim['status'] }).status
        },
        commit: (key, token) => run(sql.commit, key, token),
        release: (key, token) => run(sql.release, key, token),
        releasesAtOnce: true,
      },
      settings,
      ownClaims,
    )
    this.#db = db
    this.#handling = new Handling(settings, ownClaims)
    this.#run = run
    this.#sql = sql
    this.#table = parts.at(-1)!
    this.#timeoutSeconds = timeoutSeconds
  }

  async migrate(): Promise<void> {
    const columns = (await this.#run(LOOK, this.#table, `${this.#table}_age`)) as readonly Column[]
    checkShape(this.#table, columns)
    if (columns[0]?.has_index !== 1) await this.#batch(this.#sql.schema.map((text) => this.#db.prepare(text)))
  }

  readonly handle: Inbox<Prepared, Result>['handle'] = (webhook, statements) =>
    this.#handling.handle(webhook, (key, claims) => this.#book(key, claims, statements))

  readonly once: Inbox<Prepared, Result>['once'] = (key, statements) =>
    this.#handling.once(key, (stored, claims) => this.#book(stored, claims, statements))

  prune(options?: PruneOptions): Promise<number> {
    return pruneAll(async () => {
      const { meta } = await answerWithin(PRUNE_SECONDS, this.#db.prepare(this.#sql.prune).all())
      return meta.changes
    }, options)
  }

  async #book(key: string, claims: Claims, given: Joined<Prepared>) {
    const statements = await joinedOf(given, STATEMENTS)
    // The promise of a statement that was run by itself is not part of the transaction.
    const areAll = statements.every((each) => typeof (Object(each) as Partial<Prepared>).bind === 'function')
    if (!areAll) throw new TypeError(`The inbox: expected ${STATEMENTS}`)
    return this.#send(key, claims, [
      this.#db.prepare(this.#sql.insertOrFail[claims]).bind(key),
      ...statements,
    ])
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
      if (!isAboutTable(error, this.#table)) throw failureOfBatch(error)
      const state = await this.#stateOf(key)
      if (state === 'handled') return { outcome: 'duplicate' }
      if (claims === 'honoured' && state === 'claimed') return { outcome: 'claimed' }
      // The claim of another request may have ended since the batch failed.
      if (claims === 'honoured' && !isRepeated) return this.#send(key, claims, statements, true)
      throw error
    }
  }

  async #stateOf(key: string): Promise<KeyState> {
    const [row] = await this.#run(this.#sql.state, key)
    return row === undefined ? 'new' : (row as { readonly state: KeyState }).state
  }

  #batch(statements: Prepared[]): Promise<readonly Result[]> {
    return answerWithin(this.#timeoutSeconds, this.#db.batch(statements))
  }
}

/** @throws {Error} with what is wrong, and the fix */
function checkShape(table: string, columns: readonly Column[]): void {
  if (columns.length === 0) return
  const names = columns.map(({ name }) => name)
  const problems = COLUMNS.filter((name) => !names.includes(name)).map((name) => `no column "${name}"`)
  const isKey = columns.every(({ name, pk }) => (name === 'key') === pk > 0)
  if (!isKey) problems.push('the primary key is not "key" alone')
  if (problems.length === 0) return
  throw new Error(
    `The table "${table}" is not that of an inbox: ${problems.join(', ')}. ` +
      'Set "table" to another name, or create it as schema.sql does.',
  )
}
