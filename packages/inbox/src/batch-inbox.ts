import { Handling, type Claimed, type Claims, type InboxOutcome } from './handling.js'
import type { VerifiedDelivery } from './keys.js'
import type { InboxSettings } from './options.js'
import { OwnClaims } from './own-claims.js'
import { StoredKeys, type KeyStatements, type SharedReplayStore } from './stored-keys.js'

/** What is sent with the key of a delivery, or a function that makes it. */
export type Joined<Entry> = readonly Entry[] | (() => readonly Entry[] | Promise<readonly Entry[]>)

/** An inbox, which is also a `ReplayStore`. Its database has no transaction that stays open while a handler runs. */
export interface BatchInbox<Entry, Result> extends SharedReplayStore {
  /** Creates the table if it does not exist. */
  readonly migrate: () => Promise<void>

  /**
   * Sends the entries in one transaction with the key of the delivery. If the delivery was handled before, nothing is written.
   *
   * @param entries an array, or a function that makes it, which also runs for a duplicate
   * @returns `handled` with the result of the entries, or `duplicate`
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`: the sender should retry
   * @throws {TypeError} if it was called for this webhook before, and that call has not failed
   * @throws {unknown} the error of an entry
   */
  readonly handle: (webhook: VerifiedDelivery, entries: Joined<Entry>) => Promise<InboxOutcome<Result>>

  /**
   * The same for a key of your own, such as `intent:int_1:PROCESSED`. The keys that `replayKey` makes are in the same place:
   * while an endpoint with `replay: inbox` handles the same key, it throws `ERR_DELIVERY_IN_PROGRESS`.
   *
   * @param key 1 to 255 characters
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`
   * @throws {TypeError | RangeError} on another key
   */
  readonly once: (key: string, entries: Joined<Entry>) => Promise<InboxOutcome<Result>>
}

/** What the inbox needs of a database that takes a whole transaction at once. Keys are as they are stored. */
export interface BatchEngine<Entry, Result> extends KeyStatements {
  readonly migrate: () => Promise<void>
  /** What the entries are, for errors: `an array of prepared statements`. */
  readonly entries: string
  /** Sends the entries with the key, unless it was handled before. */
  readonly send: (
    key: string,
    claims: Claims,
    entries: readonly Entry[],
  ) => Promise<InboxOutcome<Result> | Claimed>
}

/** The inbox over such a database. */
export class BatchedInbox<Entry, Result> extends StoredKeys implements BatchInbox<Entry, Result> {
  readonly #engine: BatchEngine<Entry, Result>
  readonly #handling: Handling

  constructor(engine: BatchEngine<Entry, Result>, settings: InboxSettings) {
    const ownClaims = new OwnClaims(settings.leaseSeconds)
    super(engine, settings, ownClaims)
    this.#engine = engine
    this.#handling = new Handling(settings, ownClaims)
  }

  migrate(): Promise<void> {
    return this.#engine.migrate()
  }

  readonly handle = (webhook: VerifiedDelivery, entries: Joined<Entry>): Promise<InboxOutcome<Result>> =>
    this.#handling.handle(webhook, (key, claims) => this.#send(key, claims, entries))

  readonly once = (key: string, entries: Joined<Entry>): Promise<InboxOutcome<Result>> =>
    this.#handling.once(key, (stored, claims) => this.#send(stored, claims, entries))

  async #send(key: string, claims: Claims, joined: Joined<Entry>): Promise<InboxOutcome<Result> | Claimed> {
    const entries: unknown = typeof joined === 'function' ? await joined() : joined
    if (Array.isArray(entries)) return this.#engine.send(key, claims, entries as readonly Entry[])
    throw new TypeError(
      `The inbox: expected ${this.#engine.entries}, or a function that returns it, got ${typeof entries}`,
    )
  }
}
