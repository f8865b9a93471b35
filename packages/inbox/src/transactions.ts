import { WebhookError } from '@service-signature/core'
import { keyOfDelivery, ownKey, type VerifiedDelivery } from './keys.js'
import type { InboxSettings } from './options.js'

/** How a delivery was handled. The response to the sender is the same either way. */
export type InboxOutcome<Result> =
  | { readonly outcome: 'handled'; /** The result of the handler. */ readonly result: Result }
  | { readonly outcome: 'duplicate'; readonly result?: undefined }

/** What the inbox needs of a database. */
export interface Engine<Client> {
  /** Takes a connection for a transaction. */
  readonly open: () => Promise<Transaction<Client>>
  /** The refusal of a delivery that could not begin: the sender should retry it. */
  readonly refusalOf: (error: unknown) => WebhookError
}

/** A transaction on a connection of its own. It ends with `commit`, or with `rollback`, also after another step failed. */
export interface Transaction<Client> {
  /** The library's own client, for the handler. */
  readonly client: Client
  /** Begins, and inserts the key. @returns whether it is new */
  readonly insert: (key: string) => Promise<boolean>
  /** Commits the transaction that has inserted the key: no other, and not after a statement failed. */
  readonly commit: () => Promise<void>
  /** Never rejects. A connection whose state is unknown is not used again. */
  readonly rollback: () => Promise<void>
}

type Handler<Client, Result> = (client: Client) => Result | Promise<Result>

/** Each waits with a connection of the pool, which copies of one slow delivery must not use up. */
const MOST_WAITING = 2

const HANDLED_TWICE =
  'inbox.handle was called twice for one webhook, and the work of the second call would be left out as a duplicate. ' +
  'Do all of its work in one handler, or give the second one an inbox with a table of its own.'

/** Transactions that begin with the insertion of a key. Of those with the same key, only one commits. */
export class KeyedTransactions<Client> {
  readonly #engine: Engine<Client>
  readonly #settings: InboxSettings
  /** How many transactions have not inserted their key yet, by key. */
  readonly #waiting = new Map<string, number>()
  /** The webhooks that are being handled, that were handled, and that were duplicates. */
  readonly #handled = new WeakSet()

  constructor(engine: Engine<Client>, settings: InboxSettings) {
    this.#engine = engine
    this.#settings = settings
  }

  /** Handles a delivery. */
  async handle<Result>(
    webhook: VerifiedDelivery,
    handler: Handler<Client, Result>,
  ): Promise<InboxOutcome<Result>> {
    checkHandler(handler, 'handle')
    const key = await keyOfDelivery(webhook, this.#settings)
    if (this.#handled.has(webhook)) throw new TypeError(HANDLED_TWICE)
    this.#handled.add(webhook)
    try {
      return await this.#run(key, handler)
    } catch (error) {
      this.#handled.delete(webhook)
      throw error
    }
  }

  /** Does what a key of the merchant's own stands for. */
  async once<Result>(key: string, handler: Handler<Client, Result>): Promise<InboxOutcome<Result>> {
    checkHandler(handler, 'once')
    return this.#run(await ownKey(key), handler)
  }

  async #run<Result>(key: string, handler: Handler<Client, Result>): Promise<InboxOutcome<Result>> {
    const transaction = await this.#begin(key)
    if (transaction === undefined) return { outcome: 'duplicate' }
    try {
      const result = await handler(transaction.client)
      await transaction.commit()
      return { outcome: 'handled', result }
    } catch (error) {
      await transaction.rollback()
      throw error
    }
  }

  /** The transaction that has inserted the key, or undefined if the key was there. */
  async #begin(key: string): Promise<Transaction<Client> | undefined> {
    const waiting = this.#waiting.get(key) ?? 0
    if (waiting === MOST_WAITING) throw new WebhookError('ERR_DELIVERY_IN_PROGRESS')
    this.#waiting.set(key, waiting + 1)
    try {
      return await this.#insert(key)
    } catch (error) {
      throw this.#engine.refusalOf(error)
    } finally {
      this.#stopWaiting(key)
    }
  }

  #stopWaiting(key: string): void {
    const waiting = this.#waiting.get(key)! - 1
    if (waiting === 0) this.#waiting.delete(key)
    else this.#waiting.set(key, waiting)
  }

  async #insert(key: string): Promise<Transaction<Client> | undefined> {
    const transaction = await this.#engine.open()
    let isInserted = false
    try {
      isInserted = await transaction.insert(key)
    } finally {
      if (!isInserted) await transaction.rollback()
    }
    return isInserted ? transaction : undefined
  }
}

function checkHandler(handler: unknown, call: string): void {
  if (typeof handler === 'function') return
  throw new TypeError(`inbox.${call}: expected a handler, (client) => Promise, got ${typeof handler}`)
}
