import { Deliveries } from './deliveries/deliveries.js'
import { Targets } from './deliveries/target.js'
import { cardTokenEvent, eventsOf, subjectOf, type Event } from './events/events.js'
import { FAULTS, Faults } from './faults.js'
import { tokenizeCard } from './model/card-token-intents.js'
import { createFirstRecords, defaultEndpointOf, setDefaultEndpoint, type Model } from './model/model.js'
import { failWaiting, payIntent } from './model/payments.js'
import { SLOW_PROVIDER_MS } from './model/providers.js'
import type { Settings } from './options.js'
import { seededRandom, type Random } from './random.js'
import {
  ACCOUNTS,
  AGREEMENTS,
  CARDS,
  CARD_INTENTS,
  COLLECTED_CARDS,
  CUSTOMERS,
  DELIVERIES,
  INTENTS,
  KEYS,
  ORGANIZATIONS,
  REQUESTS,
  SETTINGS,
  type CardToken,
  type CardTokenIntent,
  type Delivery,
  type Intent,
  type PayAttempt,
  type Transaction,
  type TypedCard,
} from './store/records.js'
import { Store } from './store/store.js'
import type { Kind } from './store/table.js'

/** How the events of payments are sent. */
const OF_A_PAYMENT = { source: 'payment', forgeries: [], isRetried: true } as const

/** All kinds of records. */
export const KINDS: readonly Kind<never>[] = [
  ORGANIZATIONS,
  SETTINGS,
  FAULTS,
  ACCOUNTS,
  KEYS,
  CUSTOMERS,
  CARDS,
  COLLECTED_CARDS,
  CARD_INTENTS,
  INTENTS,
  AGREEMENTS,
  DELIVERIES,
  REQUESTS,
]

/** The service without its server. */
export class Service implements Model {
  readonly settings: Settings
  readonly store: Store
  readonly random: Random
  readonly faults: Faults
  readonly targets: Targets
  deliveries: Deliveries
  /** Where a browser reaches it, once it listens. */
  origin: string
  readonly #pauses = new Set<() => void>()

  /** @throws {DataFolderError} if the data folder cannot be used */
  constructor(settings: Settings) {
    this.settings = settings
    this.targets = new Targets(settings)
    this.origin = settings.publicUrl ?? ''
    const { dataFolder: folder, seed, keep } = settings
    this.store = new Store({ kinds: KINDS, folder, seed, keep })
    this.random = seededRandom(this.store.seed, (name) => this.store.count(name))
    this.faults = new Faults(this.store, this.random)
    this.deliveries = new Deliveries(this)
    this.#begin()
  }

  #begin(): void {
    const { defaultEndpoint, keySeed } = this.settings
    const random =
      keySeed === undefined
        ? this.random
        : seededRandom(keySeed, (name) => this.store.count(`of keys: ${name}`))
    createFirstRecords({ store: this.store, faults: this.faults, now: this.now, random })
    if (defaultEndpoint !== undefined) setDefaultEndpoint(this, defaultEndpoint)
  }

  get now(): () => number {
    return this.settings.clock.now
  }

  /** Back to the state of the start; with the same seed, the same one. */
  reset(): void {
    this.end()
    this.store.reset()
    this.deliveries = new Deliveries(this)
    this.#begin()
  }

  /**
   * Tries to pay an intent that is open, and sends the events of that. Resolves when the providers have answered; the events do not wait for
   * a slow one.
   *
   * @throws {Refusal} if the card cannot be saved as requested
   */
  async pay(intent: Intent, attempt: PayAttempt, collectedCard?: string): Promise<void> {
    const transactions = payIntent(this, intent, attempt)
    this.#useUp(collectedCard)
    this.deliveries.send(this.#addPaymentDeliveries(intent, transactions))
    const slow = transactions.filter(({ isSlow }) => isSlow).length
    if (slow > 0) await this.#pause(slow * SLOW_PROVIDER_MS)
  }

  /** Saves the card of an intent that charges nothing, and sends the event of that, if that option is on. */
  saveCard(intent: CardTokenIntent, attempt: PayAttempt<TypedCard>, collectedCard?: string): void {
    const { random, settings } = this
    tokenizeCard(this, intent, attempt)
    this.#useUp(collectedCard)
    const isSaved = intent.cardTokenId !== undefined && settings.cardTokenEvents
    const events = isSaved ? [cardTokenEvent(random, intent, settings.bodyStyle)] : []
    this.deliveries.send(this.#addDeliveries(intent, events))
  }

  /** A card of the SDK is good for one attempt. A call that is refused is not an attempt. */
  #useUp(collectedCard: string | undefined): void {
    if (collectedCard !== undefined) this.store.remove(COLLECTED_CARDS, collectedCard)
  }

  /** Deletes a saved card. A charge of it that waits for the customer fails, and the event of that is sent. */
  deleteCard(token: CardToken): void {
    this.store.remove(CARDS, token.id)
    const deliveries = failWaiting(this, token).flatMap(({ intent, transaction }) =>
      this.#addPaymentDeliveries(intent, [transaction]),
    )
    this.deliveries.sendAsPlanned(deliveries, { isAtOnce: true })
  }

  #addPaymentDeliveries(intent: Intent, transactions: readonly Transaction[]): readonly Delivery[] {
    const subject = subjectOf(this, intent)
    const events = transactions.flatMap((each) => eventsOf(subject, each, this.settings.bodyStyle))
    return this.#addDeliveries(intent, events)
  }

  /** Stores the events of an intent for its address, if it has one. */
  #addDeliveries(
    { id: intentId, scope, keyId, isOwn, webhookUrl }: Intent | CardTokenIntent,
    events: readonly Event[],
  ): readonly Delivery[] {
    const url = webhookUrl ?? defaultEndpointOf(this)
    if (url === undefined || events.length === 0) return []
    return this.deliveries.add(events, { intentId, url, scope, keyId, isOwn, ...OF_A_PAYMENT })
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#pauses.delete(end)
        resolve()
      }
      const cancel = this.settings.clock.after(milliseconds, end)
      this.#pauses.add(end)
    })
  }

  /** Ends every delivery and pause. */
  end(): void {
    this.deliveries.end()
    for (const end of this.#pauses) end()
  }
}
