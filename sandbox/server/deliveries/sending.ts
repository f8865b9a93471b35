import { setMaxListeners } from 'node:events'
import { FORGERIES, type Forgery } from '@service-signature/deliveries'
import { compact } from '../store/table.js'
import { attempt, type DeliveryTools } from './attempt.js'
import { Causes } from './causes.js'
import { Checks } from './checks.js'
import { DELIVERIES, reportAttempt, SETTINGS, type AttemptRecord, type Delivery } from './records.js'
import { isStable, reprintChange } from './reprint.js'
import { isAccepted, verdictText as textOfVerdict } from './verdict.js'
import { Work } from './work.js'

/** What of an event is stored. */
type Event = Pick<Delivery, 'type' | 'body' | 'amount' | 'transactionId'>

/** Where events go, whose key signs them, and where they come from. */
export type Addressee = Pick<
  Delivery,
  'intentId' | 'url' | 'scope' | 'keyId' | 'source' | 'isOwn' | 'forgeries' | 'isRetried'
>

/** How long to wait after an attempt that failed. After the last of them the delivery is dead. */
export const RETRY_DELAYS_MS = [1000, 5000, 25_000, 120_000, 600_000] as const

/** How many payments are sent at a time if many are due at the start. */
const SENT_AT_A_TIME = 8

const NO_ATTEMPTS: readonly AttemptRecord[] = []

/** The model, and what sends its events. */
export interface Service extends DeliveryTools {
  readonly deliveries: Deliveries
  /** Back to the state of the start; with the same seed, the same one. */
  readonly reset: () => void
}

/** Sends deliveries to merchants: from `add` over each attempt of the schedule to what follows from its answer. */
export class Deliveries {
  readonly #tools: DeliveryTools
  readonly #work: Work
  readonly #checks: Checks
  /** The deliveries of which a copy is under way. */
  readonly #checking = new Set<string>()
  readonly #ended = new AbortController()
  readonly #stopListening: () => void

  constructor(tools: DeliveryTools) {
    this.#tools = tools
    this.#work = new Work(tools.clock)
    this.#checks = new Checks(tools.settings.checks)
    // Each running attempt listens to it.
    setMaxListeners(0, this.#ended.signal)
    this.#stopListening = tools.store.listen(() => this.#work.changed())
  }

  /** Where the events of intents without a `webhook_url` go. */
  get defaultEndpoint(): string | undefined {
    return this.#tools.store.get(SETTINGS, 'settings')?.defaultEndpoint
  }

  set defaultEndpoint(url: string | undefined) {
    this.#tools.store.put(SETTINGS, { id: 'settings', defaultEndpoint: url })
  }

  /** Stores events as deliveries. They are not sent yet: what led to them may have more to store with them. */
  add(events: readonly Event[], to: Addressee): readonly Delivery[] {
    const { store, random, now } = this.#tools
    return events.map(({ type, body, amount, transactionId }) =>
      // Each field has its place from the start. V8 keeps those that are spread, or come later, apart from the record.
      store.insert(DELIVERIES, {
        id: random.id('dlv'),
        type,
        intentId: to.intentId,
        transactionId,
        source: to.source,
        isOwn: to.isOwn,
        forgeries: to.forgeries,
        isRetried: to.isRetried,
        amount,
        url: to.url,
        scope: to.scope,
        keyId: to.keyId,
        body: compact(body),
        isStable: isStable(body),
        created: now(),
        status: 'pending',
        retries: 0,
        nextAttemptAt: undefined,
        attempts: NO_ATTEMPTS,
      }),
    )
  }

  /** Sends the deliveries of one payment. */
  send(made: readonly Delivery[]): void {
    const [first] = made
    const isReversed = first !== undefined && this.#tools.faults.reorders(first.id)
    this.#start(() => this.#sendInOrder(isReversed ? [...made].reverse() : made))
  }

  /** Sends composed deliveries, by default each after the first attempt of the previous one. */
  sendAsPlanned(made: readonly Delivery[], { isAtOnce = false, delayMs = 0 }): void {
    const { store, now } = this.#tools
    if (delayMs > 0) {
      for (const { id } of made) store.update(DELIVERIES, id, { nextAttemptAt: now() + delayMs })
    }
    if (isAtOnce || delayMs > 0)
      for (const delivery of made) this.#start(() => this.#sendUntilItEnds(delivery))
    else this.#start(() => this.#sendInOrder(made))
  }

  /** Continues with the deliveries that an earlier process has left: their retries, and what it could not send. */
  resume(): void {
    const { store, now } = this.#tools
    const late = new Map<string, Delivery[]>()
    for (const delivery of store.list(DELIVERIES).filter(({ status }) => status === 'pending')) {
      const { id, intentId: group = id, nextAttemptAt = 0 } = delivery
      if (nextAttemptAt > now()) this.#start(() => this.#sendUntilItEnds(delivery))
      else late.set(group, [...(late.get(group) ?? []), delivery])
    }
    const left = late.values()
    for (let count = 0; count < SENT_AT_A_TIME; count++) {
      this.#start(async () => {
        for (const group of left) await this.#sendInOrder(group)
      })
    }
  }

  /** Each after the first attempt of the previous one. */
  async #sendInOrder(deliveries: readonly Delivery[]): Promise<void> {
    for (const delivery of deliveries) {
      await this.#attemptWhenDue(delivery)
      this.#start(() => this.#sendUntilItEnds(delivery))
    }
  }

  async #sendUntilItEnds(delivery: Delivery): Promise<void> {
    while (this.#isPending(delivery)) await this.#attemptWhenDue(delivery)
  }

  /** Makes the next attempt of the schedule, under the faults that are set. */
  async #attemptWhenDue(delivery: Delivery): Promise<void> {
    const { store, faults, now } = this.#tools
    const { id, nextAttemptAt = 0 } = delivery
    await this.#work.rest(id, nextAttemptAt - now())
    if (!this.#isPending(delivery)) return
    if (nextAttemptAt > 0) store.update(DELIVERIES, id, { nextAttemptAt: undefined })
    if (delivery.attempts.length === 0 && faults.loses(id)) {
      this.#finish(delivery, 'lost')
      this.#tools.settings.logger(`delivery ${id} lost: never sent`)
      return
    }
    const { delayMs, duplicate, forgeries } = faults.forAttempt(id, delivery.attempts.length)
    await this.#work.rest(id, delayMs)
    // A resend may have been accepted in the meantime.
    if (!this.#isPending(delivery)) return
    const request = () => this.#request(delivery, together(delivery.forgeries, forgeries), false)
    const made = duplicate ? [await request(), await request()] : [await request()]
    const stored = made.filter((each) => each !== undefined)
    const report = stored.map((each) => this.#reporter(delivery, each))
    this.#conclude(delivery, stored.some(isAccepted))
    for (const each of report) await each()
  }

  /** Sends one request and stores it. Resolves to undefined if there is nothing to store it in any more. */
  async #request(
    delivery: Delivery,
    forgeries: readonly Forgery[],
    isCheck: boolean,
  ): Promise<AttemptRecord | undefined> {
    const { store } = this.#tools
    if (this.#ended.signal.aborted) return undefined
    const made = await attempt(this.#tools, delivery, { forgeries, isCheck }, this.#ended.signal)
    if (made === undefined || store.get(DELIVERIES, delivery.id) === undefined) return undefined
    // An array that grows in place, or is spread, keeps room for 16 more.
    store.update(DELIVERIES, delivery.id, { attempts: delivery.attempts.concat(made) })
    return made
  }

  /** What follows from the answer: it is delivered, is retried, or is dead. */
  #conclude(delivery: Delivery, isDelivered: boolean): void {
    const { store, settings, now } = this.#tools
    const { id, retries, isRetried } = delivery
    const delay = isRetried ? RETRY_DELAYS_MS[retries] : undefined
    if (!this.#isPending(delivery)) return
    if (isDelivered) this.#finish(delivery, 'delivered')
    else if (delay === undefined) this.#finish(delivery, 'dead')
    else {
      const nextAttemptAt = now() + delay / settings.timeScale
      store.update(DELIVERIES, id, { retries: retries + 1, nextAttemptAt })
    }
  }

  #finish({ id }: Delivery, status: 'delivered' | 'dead' | 'lost'): void {
    this.#tools.store.update(DELIVERIES, id, { status, nextAttemptAt: undefined })
    this.#work.wake(id)
  }

  /** Makes one attempt outside of the schedule. Resolves when it has ended. */
  resend(delivery: Delivery, wanted: readonly Forgery[]): Promise<void> {
    const forgeries = together(delivery.forgeries, wanted)
    return this.#work.run(async () => {
      const made = await this.#request(delivery, forgeries, false)
      if (made === undefined) return
      const report = this.#reporter(delivery, made)
      // An endpoint that accepts a forgery has not received the event itself.
      if (isAccepted(made) && forgeries.length === 0) this.#finish(delivery, 'delivered')
      await report()
    })
  }

  /** Sends a copy for each forgery, all of which a correct endpoint refuses. Resolves when the last has ended. */
  check(delivery: Delivery): Promise<void> {
    // A body that stays the same when it is serialized again makes a valid delivery.
    const isUnchanged = reprintChange(delivery.body) === undefined
    return this.#work.run(async () => {
      for (const forgery of FORGERIES.filter((each) => each !== 'reprinted' || !isUnchanged)) {
        const made = await this.#request(delivery, [forgery], true)
        if (made !== undefined) this.#report(delivery, [made])
      }
    })
  }

  /** What reports an attempt with its cause: after the copies that show why the endpoint did what it did. */
  #reporter(delivery: Delivery, made: AttemptRecord): () => Promise<void> {
    const forgery = this.#checks.copyAfter(delivery, made)
    if (forgery !== undefined) this.#checking.add(delivery.id)
    return async () => {
      const sent: AttemptRecord[] = [made]
      for (let next = forgery; next !== undefined;) {
        const copy = await this.#request(delivery, [next], true)
        if (copy === undefined) break
        sent.push(copy)
        next = this.#checks.copyAfterCopy(delivery, made, copy)
      }
      this.#checking.delete(delivery.id)
      this.#report(delivery, sent)
    }
  }

  #report(delivery: Delivery, sent: readonly AttemptRecord[]): void {
    const { onAttempt, logger } = this.#tools.settings
    // To find a cause takes about as long as to send.
    if (onAttempt !== undefined) {
      const causes = new Causes(this.#tools)
      for (const each of sent) {
        const { isCheck } = each
        const verdict = causes.verdict(delivery, each)
        const verdictText = textOfVerdict(each, delivery.body, verdict)
        onAttempt(reportAttempt(delivery, each), {
          verdict,
          verdictText,
          cause: causes.of(delivery, each),
          isCheck,
        })
      }
    }
    const { id, type, status } = delivery
    // The type of a composed event may be any text.
    const shown = /^[a-z_.]{1,100}$/.test(type) ? type : '(other type)'
    const [made] = sent
    logger(`delivery ${id} ${shown} ${status}: ${made!.status ?? made!.error!}`)
  }

  /** Whether a copy of it is under way, after which its cause may be another. */
  isChecking({ id }: Delivery): boolean {
    return this.#checking.has(id)
  }

  /** Resolves when no attempt is running. */
  idle(): Promise<void> {
    return this.#work.until(() => true)
  }

  /** Resolves when every delivery was accepted, or is dead. */
  drained(): Promise<void> {
    const { store } = this.#tools
    return this.#work.until(
      () => this.#ended.signal.aborted || store.list(DELIVERIES).every(({ status }) => status !== 'pending'),
    )
  }

  /** Resolves after this time, or when the sandbox ends. */
  pause(milliseconds: number): Promise<void> {
    return this.#work.pause(milliseconds)
  }

  /** Aborts the running attempts, and cancels all planned ones. */
  end(): void {
    this.#stopListening()
    this.#ended.abort()
    this.#work.end()
  }

  /** Whether it still has to be sent. It may also have made room for newer ones. */
  #isPending({ id }: Delivery): boolean {
    return !this.#ended.signal.aborted && this.#tools.store.get(DELIVERIES, id)?.status === 'pending'
  }

  #start(job: () => Promise<void>): void {
    const { logger } = this.#tools.settings
    this.#work.run(job).catch((error: unknown) => logger(`an attempt could not be stored: ${String(error)}`))
  }
}

function together(own: readonly Forgery[], others: readonly Forgery[]): readonly Forgery[] {
  return FORGERIES.filter((forgery) => own.includes(forgery) || others.includes(forgery))
}
