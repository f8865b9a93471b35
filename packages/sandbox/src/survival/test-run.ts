import { printBody } from '@service-signature/core/testing'
import { AUDITS, type Audit, type Audits } from '../audits.js'
import type { AttemptTools } from '../deliveries/attempt.js'
import type { Deliveries, JudgedAttempt } from '../deliveries/deliveries.js'
import { verdictOf } from '../deliveries/verdict.js'
import { composedEvent, type Event } from '../events/events.js'
import { eventPair } from '../events/templates.js'
import { createIntent } from '../model/intents.js'
import { firstKeys } from '../model/model.js'
import { payIntent } from '../model/payments.js'
import {
  DELIVERIES,
  SURVIVAL_RUNS,
  type Delivery,
  type Intent,
  type Scope,
  type SurvivalRun,
} from '../store/records.js'
import { testCard } from '../vault/test-cards.js'

export interface SurvivalTools extends AttemptTools {
  readonly deliveries: Deliveries
  readonly audits: Audits
  /** Where a browser reaches the sandbox. */
  readonly origin: string
}

/** A payment that is made up. */
export interface MadeUpPayment {
  /** The id of its intent. */
  readonly id: string
  readonly first: Event
  readonly last: Event
}

/** A delivery, and how the endpoint answered. */
export interface Sent {
  readonly delivery: Delivery
  readonly attempts: readonly JudgedAttempt[]
}

/** One run of a test: what the test sends, and sees. */
export class TestRun {
  readonly url: string
  readonly origin: string
  readonly #id: string
  readonly #tools: SurvivalTools
  /** Those of the start: after a reset there are others. */
  readonly #deliveries: Deliveries
  readonly #signal: AbortSignal
  /** The account and the mode of the endpoint, as far as its answers show. */
  readonly #scope: Scope

  constructor(tools: SurvivalTools, { id, url }: SurvivalRun, signal: AbortSignal) {
    this.url = url
    this.origin = tools.origin
    this.#id = id
    this.#tools = tools
    this.#deliveries = tools.deliveries
    this.#signal = signal
    this.#scope = scopeOf(tools, url)
  }

  get now(): number {
    return this.#tools.now()
  }

  newPayment(ageMs?: number): MadeUpPayment {
    const { settings } = this.#tools
    const subject = { scope: this.#scope, ...(ageMs !== undefined && { ageMs }) }
    const [first, last] = eventPair(this.#tools, subject)
    const print = (payload: object) => composedEvent(printBody(payload, settings.bodyStyle))
    return { id: last.data.intent_id, first: print(first), last: print(last) }
  }

  /** A valid delivery of a payment of its own. */
  open(): Promise<Sent> {
    return this.send(this.newPayment().first)
  }

  /** Sends an event, or so many copies of it at once. */
  send(event: Event, copies = 1): Promise<Sent> {
    this.#signal.throwIfAborted()
    const to = { intentId: undefined, url: this.url, scope: this.#scope, keyId: undefined }
    const how = { source: 'composed', isOwn: true, forgeries: [], isRetried: false } as const
    const [delivery] = this.#deliveries.add([event], { ...to, ...how })
    return this.sendAgain(delivery!, copies)
  }

  async sendAgain(delivery: Delivery, copies = 1): Promise<Sent> {
    const { store } = this.#tools
    const attempts = await this.#deliveries.sendCopies(delivery, copies)
    this.#signal.throwIfAborted()
    if (attempts.length < copies) {
      throw new Error('A delivery made room for a newer one: start the sandbox with a larger "keep"')
    }
    store.update(SURVIVAL_RUNS, this.#id, { done: store.get(SURVIVAL_RUNS, this.#id)!.done + copies })
    return { delivery, attempts }
  }

  /** Lets the time of the sandbox pass. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#tools.settings.clock.after(milliseconds, resolve)
      this.#signal.addEventListener('abort', () => {
        cancel()
        reject(this.#signal.reason as Error)
      })
    })
  }

  /** Makes an audit of the cases with this text in their name, of deliveries that are not for this endpoint. */
  async audit(only: string): Promise<Audit> {
    const { audits, store } = this.#tools
    const { accountId: account, isLive: live } = this.#scope
    const { id } = await audits.start(this.url, { groups: ['owner'], account, live, only })
    await audits.ended(id)
    this.#signal.throwIfAborted()
    return store.get(AUDITS, id)!
  }

  /** A payment of which no event is ever sent. It fails if faults of the providers are set. */
  payInSilence(): Intent {
    const intent = createIntent(
      this.#tools,
      { scope: this.#scope },
      { amount: 10.5, amount_currency: 'EUR', webhook_url: this.url },
    )
    payIntent(this.#tools, intent, { source: { card: testCard(PAID)! }, hasCvv: true })
    return intent
  }
}

/** The number of a card that is not declined. */
const PAID = '4242424242424242'

/** Whose events the endpoint accepts: those of the newest valid delivery that it did, or else of the first account in test mode. */
function scopeOf(tools: SurvivalTools, url: string): Scope {
  const accepted = tools.store
    .newestFirst(DELIVERIES)
    .find((each) => each.url === url && each.attempts.some((attempt) => verdictOf(attempt) === 'accepted'))
  return accepted?.scope ?? { accountId: firstKeys(tools).accountKey.accountId, isLive: false }
}
