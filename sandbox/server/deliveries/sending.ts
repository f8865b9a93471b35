import { EventEmitter, once, setMaxListeners } from 'node:events'
import type { Cancel } from '../store/clock.js'
import type { Event } from '../events/events.js'
import { DELIVERIES, type AttemptRecord, type Delivery } from './records.js'
import { FORGERIES, type Forgery } from '../faults/faults.js'
import { compact } from '../store/table.js'
import { attempt, isAccepted } from './attempt.js'
import type { DeliveryTools } from './tools.js'
import type { Cause } from './cause.js'
import { Causes } from './causes.js'
import { Checks } from './checks.js'
import { readAttempt, reportAttempt, RETRY_DELAYS_MS, type Attempt } from './delivery.js'
import { isStable } from './reprint.js'

/** Where events go, whose key signs them, and where they come from. */
export type Addressee = Pick<
  Delivery,
  'intentId' | 'url' | 'scope' | 'keyId' | 'source' | 'isOwn' | 'forgeries' | 'isRetried'
>

/** When composed events are sent: by default each after the first attempt of the previous one. */
export interface Plan {
  readonly isAtOnce?: boolean
  readonly delayMs?: number
}

/** An attempt, and why its answer is not as it must be, if it is not. */
type JudgedAttempt = Attempt & { readonly cause: Cause | undefined }

/** How many deliveries are sent at a time if many are due at once. */
const SENT_AT_A_TIME = 8

const NO_ATTEMPTS: readonly AttemptRecord[] = []

/** Sends deliveries to merchants, and retries them. */
export class Deliveries {
  readonly #tools: DeliveryTools
  readonly #jobs = new PendingJobs()
  readonly #checks: Checks
  readonly #ended = new AbortController()
  /** The planned retries, by the ids of their deliveries. */
  readonly #retries = new Map<string, Cancel>()
  readonly #delays = new Set<Cancel>()
  readonly #stopListening: () => void

  constructor(tools: DeliveryTools) {
    this.#tools = tools
    this.#checks = new Checks(tools.settings.checks)
    // Each running attempt listens to it.
    setMaxListeners(0, this.#ended.signal)
    this.#stopListening = tools.store.listen(() => {
      this.#jobs.changed()
    })
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

  /** Sends the deliveries of one payment, each after the first attempt of the previous one. */
  send(made: readonly Delivery[]): void {
    const [first] = made
    if (first === undefined) return
    this.#sendInOrder(this.#tools.faults.reorders(first.id) ? [...made].reverse() : made)
  }

  /** Sends composed deliveries. */
  sendAsPlanned(made: readonly Delivery[], { isAtOnce = false, delayMs = 0 }: Plan): void {
    if (delayMs > 0) for (const delivery of made) this.#planAttempt(delivery, delayMs)
    else if (isAtOnce) for (const delivery of made) this.#sendInOrder([delivery])
    else this.#sendInOrder(made)
  }

  /** Continues with the deliveries that an earlier process has left: their retries, and what it could not send. */
  resume(): void {
    const { store, faults, now } = this.#tools
    const late: Delivery[] = []
    for (const delivery of store.list(DELIVERIES)) {
      if (delivery.status !== 'pending') continue
      if (delivery.nextAttemptAt !== undefined && delivery.nextAttemptAt > now()) {
        this.#attemptAfter(delivery, delivery.nextAttemptAt - now())
      } else late.push(delivery)
    }
    this.#run(() =>
      sendAll(groupsOf(late), async (group) => {
        for (const delivery of group) {
          if (this.#isLost(delivery)) continue
          const { duplicate, forgeries } = faults.forAttempt(delivery)
          store.update(DELIVERIES, delivery.id, { nextAttemptAt: undefined })
          await this.#tryUnderFaults(delivery, together(delivery.forgeries, forgeries), duplicate)
        }
      }),
    )
  }

  /** Makes one attempt outside of the schedule. Resolves when it has ended. */
  resend(delivery: Delivery, wanted: readonly Forgery[]): Promise<void> {
    const forgeries = together(delivery.forgeries, wanted)
    return this.#jobs.run(async () => {
      const made = await this.#tryAndCheck(delivery, forgeries)
      if (made === undefined) return
      // An endpoint that accepts a forgery has not received the event itself.
      if (isAccepted(made) && forgeries.length === 0) this.#finish(delivery, 'delivered')
      this.#log(delivery)
    })
  }

  /** Makes one attempt of each, a few at a time. */
  resendAll(deliveries: readonly Delivery[]): void {
    this.#run(() => sendAll(deliveries, (delivery) => this.resend(delivery, [])))
  }

  /** Resolves when no attempt is running. */
  idle(): Promise<void> {
    return this.#jobs.until(() => true)
  }

  /** Resolves when every delivery was accepted, or is dead. */
  drained(): Promise<void> {
    const { store } = this.#tools
    return this.#jobs.until(
      () => this.#ended.signal.aborted || store.list(DELIVERIES).every(({ status }) => status !== 'pending'),
    )
  }

  /** Resolves after this time, or when the sandbox ends. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#tools.clock.after(milliseconds, resolve)
      this.#ended.signal.addEventListener('abort', () => {
        cancel()
        resolve()
      })
    })
  }

  /** Aborts the running attempts, and cancels all planned ones. */
  end(): void {
    this.#stopListening()
    this.#ended.abort()
    for (const cancel of [...this.#retries.values(), ...this.#delays]) cancel()
    this.#jobs.changed()
  }

  #run(job: () => Promise<void>): void {
    const { logger } = this.#tools.settings
    this.#jobs.run(job).catch((error: unknown) => {
      logger(`an attempt could not be stored: ${String(error)}`)
    })
  }

  /** Tries the first delivery under the faults that are set, and then the others. */
  #sendInOrder([delivery, ...others]: readonly Delivery[]): void {
    if (delivery === undefined || this.#ended.signal.aborted) return
    if (this.#isLost(delivery)) {
      this.#sendInOrder(others)
      return
    }
    const { delayMs, duplicate, forgeries } = this.#tools.faults.forAttempt(delivery)
    this.#afterDelay(delayMs, () => {
      this.#run(async () => {
        await this.#tryUnderFaults(delivery, together(delivery.forgeries, forgeries), duplicate)
        // The next one starts within this job, so that `idle` does not resolve between the two.
        this.#sendInOrder(others)
      })
    })
  }

  /** Whether a fault keeps it from ever being sent. */
  #isLost(delivery: Delivery): boolean {
    const { faults, settings } = this.#tools
    if (delivery.attempts.length > 0 || !faults.loses(delivery.id)) return false
    this.#finish(delivery, 'lost')
    settings.logger(`delivery ${delivery.id} lost: never sent`)
    return true
  }

  #afterDelay(milliseconds: number, start: () => void): void {
    if (milliseconds === 0) {
      start()
      return
    }
    const cancel = this.#tools.clock.after(milliseconds, () => {
      this.#delays.delete(cancel)
      start()
    })
    this.#delays.add(cancel)
  }

  async #tryUnderFaults(
    delivery: Delivery,
    forgeries: readonly Forgery[],
    isDuplicated: boolean,
  ): Promise<void> {
    // A resend may have been accepted in the meantime.
    if (this.#stored(delivery)?.status !== 'pending') return
    const outcomes = [await this.#tryAndCheck(delivery, forgeries)]
    if (isDuplicated) outcomes.push(await this.#tryAndCheck(delivery, forgeries))
    const stored = this.#stored(delivery)
    if (this.#ended.signal.aborted || stored === undefined) return
    if (outcomes.some((made) => made !== undefined && isAccepted(made))) this.#finish(delivery, 'delivered')
    else if (stored.status === 'pending') this.#planRetry(delivery)
    this.#log(delivery)
  }

  /** Undefined if it has made room for newer ones. */
  #stored({ id }: Delivery): Delivery | undefined {
    return this.#tools.store.get(DELIVERIES, id)
  }

  /**
   * Makes one attempt, and sends a copy after it if that shows why the endpoint did what it did. Both are reported then, with the
   * cause. Resolves to the attempt itself; to undefined if there is nothing to store it in any more.
   */
  async #tryAndCheck(delivery: Delivery, forgeries: readonly Forgery[]): Promise<JudgedAttempt | undefined> {
    const made = await this.#tryOnce(delivery, forgeries, false)
    if (made === undefined) return undefined
    const { settings } = this.#tools
    const forgery = this.#checks.copyAfter(delivery, made, delivery.body)
    const copy = forgery && (await this.#tryOnce(delivery, [forgery], true))
    const causes = new Causes(this.#tools)
    const [judged] = (copy === undefined ? [made] : [made, copy]).map((each) => {
      const { number, isCheck } = each
      const cause = causes.find(delivery, each)
      settings.onAttempt(reportAttempt(delivery, number, each), { cause, isCheck })
      return { ...each, cause }
    })
    return judged
  }

  /** Sends one request. Resolves to undefined if there is nothing to store it in any more. */
  async #tryOnce(
    delivery: Delivery,
    forgeries: readonly Forgery[],
    isCheck: boolean,
  ): Promise<(Attempt & { readonly number: number }) | undefined> {
    const { store } = this.#tools
    if (this.#ended.signal.aborted) return undefined
    const made = await attempt(this.#tools, delivery, { forgeries, isCheck }, this.#ended.signal)
    if (made === undefined || this.#stored(delivery) === undefined) return undefined
    // An array that grows in place, or is spread, keeps room for 16 more.
    store.update(DELIVERIES, delivery.id, { attempts: delivery.attempts.concat(made) })
    return { ...readAttempt(made, delivery.body), number: delivery.attempts.length }
  }

  #planRetry(delivery: Delivery): void {
    const delay = RETRY_DELAYS_MS[delivery.retries]
    if (delay === undefined || !delivery.isRetried) this.#finish(delivery, 'dead')
    else this.#planAttempt(delivery, delay / this.#tools.settings.timeScale, delivery.retries + 1)
  }

  #planAttempt(delivery: Delivery, delayMs: number, retries = delivery.retries): void {
    const { store, now } = this.#tools
    store.update(DELIVERIES, delivery.id, { retries, nextAttemptAt: now() + delayMs })
    this.#attemptAfter(delivery, delayMs)
  }

  #attemptAfter(delivery: Delivery, delayMs: number): void {
    const { store, clock } = this.#tools
    const cancel = clock.after(delayMs, () => {
      this.#retries.delete(delivery.id)
      store.update(DELIVERIES, delivery.id, { nextAttemptAt: undefined })
      this.#sendInOrder([delivery])
    })
    this.#retries.set(delivery.id, cancel)
  }

  #finish({ id }: Delivery, status: 'delivered' | 'dead' | 'lost'): void {
    this.#retries.get(id)?.()
    this.#retries.delete(id)
    this.#tools.store.update(DELIVERIES, id, { status, nextAttemptAt: undefined })
  }

  #log({ id, type, status, attempts }: Delivery): void {
    const last = attempts.filter(({ isCheck }) => !isCheck).at(-1)!
    // The type of a composed event may be any text.
    const shown = /^[a-z_.]{1,100}$/.test(type) ? type : '(other type)'
    this.#tools.settings.logger(`delivery ${id} ${shown} ${status}: ${last.status ?? last.error!}`)
  }
}

function together(own: readonly Forgery[], others: readonly Forgery[]): readonly Forgery[] {
  return FORGERIES.filter((forgery) => own.includes(forgery) || others.includes(forgery))
}

/** Sends all, a few at a time. */
async function sendAll<Item>(items: readonly Item[], send: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  const sendOneByOne = async () => {
    for (const item of left) await send(item)
  }
  await Promise.all(Array.from({ length: SENT_AT_A_TIME }, sendOneByOne))
}

/** The deliveries of each intent, which are sent one after the other. */
function groupsOf(deliveries: readonly Delivery[]): readonly (readonly Delivery[])[] {
  const groups = new Map<string, Delivery[]>()
  for (const delivery of deliveries) {
    const name = delivery.intentId ?? delivery.id
    groups.set(name, [...(groups.get(name) ?? []), delivery])
  }
  return [...groups.values()]
}

/** Counts the jobs that are running, so that others can wait for their end. */
class PendingJobs {
  readonly #news = new EventEmitter().setMaxListeners(0)
  #count = 0

  async run<Result>(job: () => Promise<Result>): Promise<Result> {
    this.#count++
    try {
      return await job()
    } finally {
      this.#count--
      this.changed()
    }
  }

  /** Must be called when something has changed that the condition of `until` depends on. */
  changed(): void {
    this.#news.emit('change')
  }

  /** Resolves as soon as no job is running and the condition is met. */
  async until(condition: () => boolean): Promise<void> {
    while (this.#count > 0 || !condition()) await once(this.#news, 'change')
  }
}
