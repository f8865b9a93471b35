import { checkHandler, Handling, type InboxOutcome, type RunOnce } from './handling.js'
import { keyOfDelivery, type VerifiedDelivery } from './keys.js'
import type { InboxSettings } from './options.js'
import { OwnClaims } from './own-claims.js'
import {
  pruneAll,
  StoredKeys,
  type KeyStatements,
  type PruneOptions,
  type SharedReplayStore,
} from './stored-keys.js'
import { KeyedTransactions, type Engine } from './transactions.js'

/** An inbox, which is also a `ReplayStore`. `Client` is a connection in a transaction, as its library calls it. */
export interface TransactionInbox<Client, RecordQuery> extends SharedReplayStore {
  /** Creates the table if it does not exist. Several processes may call it at once. */
  readonly migrate: () => Promise<void>

  /**
   * Runs the handler in a transaction, unless the delivery was handled before. The same delivery waits meanwhile. If the
   * handler fails, nothing of its transaction remains, and a retry of the delivery is handled.
   *
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`: the sender should retry
   * @throws {TypeError} if it was called for this webhook before, and that call has not failed
   * @throws {unknown} the error of the handler, or of the COMMIT
   */
  readonly handle: <Result>(
    webhook: VerifiedDelivery,
    handler: (client: Client) => Result | Promise<Result>,
  ) => Promise<InboxOutcome<Result>>

  /**
   * The same for a key of your own, such as `intent:int_1:PROCESSED`: a webhook does it, or a job that looks for what never
   * arrived. The keys that `replayKey` makes are in the same place: while an endpoint with `replay: inbox` handles the same
   * key, it throws `ERR_DELIVERY_IN_PROGRESS`.
   *
   * @param key 1 to 255 characters
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`
   * @throws {TypeError | RangeError} on another key
   */
  readonly once: <Result>(
    key: string,
    handler: (client: Client) => Result | Promise<Result>,
  ) => Promise<InboxOutcome<Result>>

  /**
   * Records the delivery in a transaction of your own. If `query` runs outside of that transaction, nothing is promised.
   *
   * @returns whether the delivery is new; if not, leave it
   */
  readonly record: (webhook: VerifiedDelivery, query: RecordQuery) => Promise<boolean>

  /**
   * Deletes the keys that are older than `ttlSeconds`, 10,000 at a time.
   *
   * @returns how many were deleted
   */
  readonly prune: (options?: PruneOptions) => Promise<number>
}

/** What an inbox needs of its database. Keys are as they are stored. */
export interface InboxStatements<RecordQuery, Recorded = Promise<boolean>> extends KeyStatements {
  /** @returns whether the key is new */
  readonly record: (key: string, query: RecordQuery) => Recorded
  readonly migrate: () => Promise<unknown>
  /** @returns how many keys were deleted, at most `PRUNE_BATCH` */
  readonly deleteBatch: () => Promise<number>
}

/** The statements of a database with a pool of connections, and its transactions. */
export type PoolEngine<Client, RecordQuery> = Engine<Client> & InboxStatements<RecordQuery>

/** The inbox over a database with a pool of connections. */
export function poolInbox<Client, RecordQuery>(
  engine: PoolEngine<Client, RecordQuery>,
  settings: InboxSettings,
): TransactionInbox<Client, RecordQuery> {
  return new KeyedInbox(new KeyedTransactions(engine).run, engine, settings)
}

/** The inbox over a database whose handlers run in transactions. */
export class KeyedInbox<Client, RecordQuery, Recorded = Promise<boolean>> extends StoredKeys {
  readonly #run: RunOnce<Client>
  readonly #handling: Handling
  readonly #statements: InboxStatements<RecordQuery, Recorded>
  readonly #settings: InboxSettings

  constructor(
    run: RunOnce<Client>,
    statements: InboxStatements<RecordQuery, Recorded>,
    settings: InboxSettings,
  ) {
    const ownClaims = new OwnClaims(settings.leaseSeconds)
    super(statements, settings, ownClaims)
    this.#run = run
    this.#handling = new Handling(settings, ownClaims)
    this.#statements = statements
    this.#settings = settings
  }

  readonly handle = async <Result>(
    webhook: VerifiedDelivery,
    handler: (client: Client) => Result | Promise<Result>,
  ): Promise<InboxOutcome<Result>> => {
    checkHandler(handler, 'handle')
    return this.#handling.handle(webhook, (key, claims) => this.#run(key, handler, claims))
  }

  readonly once = async <Result>(
    key: string,
    handler: (client: Client) => Result | Promise<Result>,
  ): Promise<InboxOutcome<Result>> => {
    checkHandler(handler, 'once')
    return this.#handling.once(key, (stored, claims) => this.#run(stored, handler, claims))
  }

  async record(webhook: VerifiedDelivery, query: RecordQuery): Promise<Awaited<Recorded>> {
    return await this.#statements.record(await keyOfDelivery(webhook, this.#settings), query)
  }

  async migrate(): Promise<void> {
    await this.#statements.migrate()
  }

  prune(options?: PruneOptions): Promise<number> {
    return pruneAll(() => this.#statements.deleteBatch(), options)
  }
}
