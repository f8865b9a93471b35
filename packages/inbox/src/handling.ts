import { keyOfDelivery, ownKey, type VerifiedDelivery } from './keys.js'
import type { InboxSettings } from './options.js'

/** How a delivery was handled. The response to the sender is the same either way. */
export type InboxOutcome<Result> =
  | { readonly outcome: 'handled'; /** The result of the handler. */ readonly result: Result }
  | { readonly outcome: 'duplicate'; readonly result?: undefined }

/** Runs a handler in a transaction that inserts a key, unless the key is there. */
export type RunOnce<Client> = <Result>(
  key: string,
  handler: (client: Client) => Result | Promise<Result>,
) => Promise<InboxOutcome<Result>>

const HANDLED_TWICE =
  'inbox.handle was called twice for one webhook, and the work of the second call would be left out as a duplicate. ' +
  'Do all of its work in one handler, or give the second one an inbox with a table of its own.'

/** Handles each delivery, and what each key of the merchant's own stands for, once. */
export class Handling<Client> {
  readonly #run: RunOnce<Client>
  readonly #settings: InboxSettings
  /** The webhooks that are being handled, that were handled, and that were duplicates. */
  readonly #handled = new WeakSet()

  constructor(run: RunOnce<Client>, settings: InboxSettings) {
    this.#run = run
    this.#settings = settings
  }

  readonly handle = async <Result>(
    webhook: VerifiedDelivery,
    handler: (client: Client) => Result | Promise<Result>,
  ): Promise<InboxOutcome<Result>> => {
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

  readonly once = async <Result>(
    key: string,
    handler: (client: Client) => Result | Promise<Result>,
  ): Promise<InboxOutcome<Result>> => {
    checkHandler(handler, 'once')
    return this.#run(await ownKey(key, 'inbox.once'), handler)
  }
}

function checkHandler(handler: unknown, call: string): void {
  if (typeof handler === 'function') return
  throw new TypeError(`inbox.${call}: expected a handler, (client) => Promise, got ${typeof handler}`)
}
