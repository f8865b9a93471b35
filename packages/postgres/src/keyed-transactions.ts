import { WebhookError } from '@service-signature/core'
import type { Driver, Transaction } from './driver.js'
import { failureToCommit, refusalOf } from './failures.js'
import type { checkInboxOptions } from './options.js'
import { statementsFor } from './statements.js'

/** How `handle` ended. The response to the sender is the same either way. */
export type InboxOutcome<Result> =
  | { readonly outcome: 'handled'; /** The result of the handler. */ readonly result: Result }
  | { readonly outcome: 'duplicate'; readonly result?: undefined }

/** Each waits with a connection of the pool, which copies of one slow delivery must not use up. */
const MOST_WAITING = 2

/** Transactions that begin with the insertion of a key. Of those with the same key, only one commits. */
export class KeyedTransactions<Client> {
  readonly #driver: Driver<Client>
  readonly #settings: ReturnType<typeof checkInboxOptions>
  readonly #sql: ReturnType<typeof statementsFor>
  /** How many transactions have not inserted their key yet, by key. */
  readonly #waiting = new Map<string, number>()

  constructor(driver: Driver<Client>, settings: ReturnType<typeof checkInboxOptions>) {
    this.#driver = driver
    this.#settings = settings
    this.#sql = statementsFor(settings.table, settings)
  }

  async run<Result>(
    key: string,
    handler: (client: Client) => Result | Promise<Result>,
  ): Promise<InboxOutcome<Result>> {
    const transaction = await this.#begin(key)
    if (transaction === undefined) return { outcome: 'duplicate' }
    try {
      const result = await handler(transaction.client)
      await this.#commit(transaction)
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
      throw refusalOf(error)
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
    const { waitSeconds, timeoutSeconds } = this.#settings
    const transaction = await this.#driver.open()
    let isInserted = false
    try {
      const rows = await transaction.begin(this.#sql.begin(key, waitSeconds), waitSeconds + timeoutSeconds)
      isInserted = rows.length > 0
    } finally {
      if (!isInserted) await transaction.rollback()
    }
    return isInserted ? transaction : undefined
  }

  /** Commits the transaction that has inserted the key: no other, and not after a statement failed. */
  async #commit(transaction: Transaction<Client>): Promise<void> {
    try {
      await transaction.commit(this.#sql.check)
    } catch (error) {
      throw failureToCommit(error)
    }
  }
}
