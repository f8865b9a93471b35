import { WebhookError } from '@service-signature/core'
import type { Driver, Transaction } from './driver.js'
import { failureToCommit, refusalOf } from './failures.js'
import type { checkInboxOptions } from './options.js'
import { statementsFor, type Row } from './statements.js'

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
    const begun = await this.#begin(key)
    if (begun === undefined) return { outcome: 'duplicate' }
    const { transaction, txid } = begun
    try {
      const result = await handler(transaction.client)
      await this.#commit(transaction, txid)
      return { outcome: 'handled', result }
    } catch (error) {
      await transaction.rollback()
      throw error
    }
  }

  /** The transaction that has inserted the key and its id, or undefined if the key was there. */
  async #begin(key: string) {
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

  async #insert(key: string) {
    const { waitSeconds, timeoutSeconds } = this.#settings
    const transaction = await this.#driver.open()
    let inserted: Row | undefined
    try {
      const statement = this.#sql.insert(key, waitSeconds)
      ;[inserted] = await transaction.begin(statement, waitSeconds + timeoutSeconds)
    } finally {
      if (inserted === undefined) await transaction.rollback()
    }
    return inserted && { transaction, txid: String(inserted['txid']) }
  }

  /** Commits the transaction that has inserted the key: no other, and not after a statement failed. */
  async #commit(transaction: Transaction<Client>, txid: string): Promise<void> {
    try {
      await transaction.commit(this.#sql.check(txid))
    } catch (error) {
      throw failureToCommit(error)
    }
  }
}
