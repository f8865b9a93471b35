import { WebhookError } from '@service-signature/core'
import { keyOfDelivery, ownKey, type VerifiedDelivery } from './keys.js'
import type { InboxSettings } from './options.js'
import type { OwnClaims } from './own-claims.js'

/** How a delivery was handled. The response to the sender is the same either way. */
export type InboxOutcome<Result> =
  | { readonly outcome: 'handled'; /** The result of the handler. */ readonly result: Result }
  | { readonly outcome: 'duplicate'; readonly result?: undefined }

/**
 * Whether the claim of another request prevents the work. A delivery is not prevented by the claim that its own adapter made
 * with "replay: inbox"; a key of the merchant's own is.
 */
export type Claims = 'ignored' | 'honoured'

/** The state of a key: it is free, or it was handled, or another request is handling it with a claim. */
export type KeyState = 'new' | 'handled' | 'claimed'

/** The work was not done, because another request has claimed the key. Only if claims are honoured. */
export interface Claimed {
  readonly outcome: 'claimed'
}

/** Runs a handler in a transaction that inserts a key, unless the key is there. */
export type RunOnce<Client> = <Result>(
  key: string,
  handler: (client: Client) => Result | Promise<Result>,
  claims: Claims,
) => Promise<InboxOutcome<Result> | Claimed>

/** Does work for a key, as it is stored. */
type WorkOf<Result> = (key: string, claims: Claims) => Promise<InboxOutcome<Result> | Claimed>

const HANDLED_TWICE =
  'inbox.handle was called twice for one webhook, and the work of the second call would be left out as a duplicate. ' +
  'Do all of its work in one handler, or give the second one an inbox with a table of its own.'

const OWN_CLAIM =
  'A request of this inbox has claimed the key. If another request is handling it, a retry gets the outcome. If inbox.once was ' +
  'called by the handler of that request, it waits for itself: with "replay: inbox", give inbox.once a key that "replayKey" does ' +
  'not make, or leave "replay" out.'

/** Handles each delivery, and what each key of the merchant's own stands for, once. */
export class Handling {
  readonly #settings: InboxSettings
  readonly #ownClaims: OwnClaims
  /** The webhooks that are being handled, that were handled, and that were duplicates. */
  readonly #handled = new WeakSet()

  constructor(settings: InboxSettings, ownClaims: OwnClaims) {
    this.#settings = settings
    this.#ownClaims = ownClaims
  }

  async handle<Result>(webhook: VerifiedDelivery, work: WorkOf<Result>): Promise<InboxOutcome<Result>> {
    const key = await keyOfDelivery(webhook, this.#settings)
    if (this.#handled.has(webhook)) throw new TypeError(HANDLED_TWICE)
    this.#handled.add(webhook)
    try {
      return this.#outcome(key, await work(key, 'ignored'))
    } catch (error) {
      this.#handled.delete(webhook)
      throw error
    }
  }

  async once<Result>(ownName: string, work: WorkOf<Result>): Promise<InboxOutcome<Result>> {
    const key = await ownKey(ownName, 'inbox.once')
    return this.#outcome(key, await work(key, 'honoured'))
  }

  #outcome<Result>(key: string, outcome: InboxOutcome<Result> | Claimed): InboxOutcome<Result> {
    if (outcome.outcome !== 'claimed') return outcome
    const reason = this.#ownClaims.has(key) ? { message: OWN_CLAIM } : {}
    throw new WebhookError('ERR_DELIVERY_IN_PROGRESS', reason)
  }
}

export function checkHandler(handler: unknown, call: string): void {
  if (typeof handler === 'function') return
  throw new TypeError(`inbox.${call}: expected a handler, (client) => Promise, got ${typeof handler}`)
}
