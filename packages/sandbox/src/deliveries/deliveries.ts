import { setMaxListeners } from 'node:events'
import type { Cancel } from '../clock.js'
import type { Event } from '../events/events.js'
import { FORGERIES, type Faults, type Forgery } from '../faults/faults.js'
import { KeptMap, sizeOf, type Memory } from '../memory.js'
import type { Random } from '../random.js'
import { attempt, isAccepted, type AttemptTools } from './attempts.js'
import { RETRY_DELAYS_MS, type Attempt, type Delivery } from './delivery.js'
import { PendingJobs } from './pending-jobs.js'

export interface DeliveryTools extends AttemptTools {
  readonly memory: Memory
  readonly random: Random
  readonly faults: Faults
  readonly timeScale: number
  /** Called once for each attempt, after it was answered or failed. */
  readonly onAttempt: (delivery: Delivery, made: Attempt) => void
  /** Called when a delivery is added or changed. */
  readonly onChange: (delivery: Delivery) => void
}

/** Where events go, whose key signs them, and where they come from. */
export type Addressee = Pick<
  Delivery,
  'intentId' | 'url' | 'scope' | 'keyId' | 'source' | 'forgeries' | 'isRetried'
>

/** When composed events are sent: by default each after the first attempt of the previous one. */
export interface Plan {
  readonly isAtOnce?: boolean
  readonly delayMs?: number
}

/** How many deliveries are sent at a time if many are resent. */
const RESENT_AT_A_TIME = 8

/** All deliveries to merchants: sends them, retries them and keeps them. */
export class Deliveries {
  readonly #tools: DeliveryTools
  readonly #jobs = new PendingJobs()
  readonly #ended = new AbortController()
  readonly #retries = new Map<Delivery, Cancel>()
  readonly #delays = new Set<Cancel>()
  readonly #log: KeptMap<Delivery>

  constructor(tools: DeliveryTools) {
    this.#tools = tools
    // Each running attempt listens to it.
    setMaxListeners(0, this.#ended.signal)
    this.#log = new KeptMap<Delivery>(
      tools.memory,
      (delivery) => {
        this.#cancelRetry(delivery)
        this.#jobs.changed()
      },
      bytesOf,
    )
  }

  list(): readonly Delivery[] {
    return [...this.#log.values()]
  }

  newestFirst(): Iterable<Delivery> {
    return this.#log.newestFirst()
  }

  /** How many there are in each state. */
  count(): Readonly<Record<Delivery['status'], number>> {
    const counts = { pending: 0, delivered: 0, dead: 0 }
    for (const { status } of this.#log.values()) counts[status]++
    return counts
  }

  get(id: string): Delivery | undefined {
    return this.#log.get(id)
  }

  /** Sends the events of one payment, each after the first attempt of the previous one. */
  send(events: readonly Event[], to: Addressee): void {
    const made = this.#add(events, to)
    this.#sendInOrder(this.#tools.faults.reorders(made[0]!.id) ? [...made].reverse() : made)
  }

  /** Sends composed events. */
  sendComposed(
    events: readonly Event[],
    to: Addressee,
    { isAtOnce = false, delayMs = 0 }: Plan,
  ): readonly Delivery[] {
    const made = this.#add(events, to)
    if (delayMs > 0) for (const delivery of made) this.#planAttempt(delivery, delayMs)
    else if (isAtOnce) for (const delivery of made) this.#sendInOrder([delivery])
    else this.#sendInOrder(made)
    return made
  }

  #add(events: readonly Event[], to: Addressee): readonly Delivery[] {
    const { clock, random, onChange } = this.#tools
    const made = events.map((event): Delivery => {
      const id = random.id('dlv')
      return { id, ...event, ...to, created: clock.now(), status: 'pending', retries: 0, attempts: [] }
    })
    for (const delivery of made) {
      this.#log.set(delivery.id, delivery)
      onChange(delivery)
    }
    return made
  }

  /** Tries the first delivery under the faults that are set, and then the others. */
  #sendInOrder([delivery, ...others]: readonly Delivery[]): void {
    if (delivery === undefined || this.#ended.signal.aborted) return
    const { delayMs, duplicate, forgeries: drawn } = this.#tools.faults.forAttempt(delivery.id)
    const forgeries = together(delivery.forgeries, drawn)
    this.#afterDelay(delayMs, () => {
      void this.#jobs.run(async () => {
        // A resend may have been accepted in the meantime, or the delivery was forgotten.
        if (delivery.status === 'pending' && this.#log.has(delivery.id)) {
          const outcomes = [await this.#tryOnce(delivery, forgeries)]
          if (duplicate) outcomes.push(await this.#tryOnce(delivery, forgeries))
          this.#settle(delivery, outcomes.includes(true))
        }
        // The next one starts within this job, so that `idle` does not resolve between the two.
        this.#sendInOrder(others)
      })
    })
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

  /** Sends one request. Resolves to whether it was accepted. */
  async #tryOnce(delivery: Delivery, forgeries: readonly Forgery[]): Promise<boolean> {
    if (this.#ended.signal.aborted) return false
    const made = await attempt(this.#tools, delivery, forgeries, this.#ended.signal)
    if (made === undefined) return false
    delivery.attempts.push(made)
    this.#log.touch(delivery.id)
    this.#tools.onAttempt(delivery, made)
    return isAccepted(made)
  }

  #settle(delivery: Delivery, isDelivered: boolean): void {
    if (this.#ended.signal.aborted || !this.#log.has(delivery.id)) return
    if (isDelivered) this.#finish(delivery, 'delivered')
    else if (delivery.status === 'pending') this.#planRetry(delivery)
    this.#tools.onChange(delivery)
  }

  #planRetry(delivery: Delivery): void {
    const delay = RETRY_DELAYS_MS[delivery.retries]
    if (delay === undefined || !delivery.isRetried) {
      this.#finish(delivery, 'dead')
      return
    }
    delivery.retries++
    this.#planAttempt(delivery, delay / this.#tools.timeScale)
  }

  #planAttempt(delivery: Delivery, delayMs: number): void {
    const { clock } = this.#tools
    delivery.nextAttemptAt = clock.now() + delayMs
    const cancel = clock.after(delayMs, () => {
      this.#retries.delete(delivery)
      delete delivery.nextAttemptAt
      this.#sendInOrder([delivery])
    })
    this.#retries.set(delivery, cancel)
  }

  #finish(delivery: Delivery, status: 'delivered' | 'dead'): void {
    this.#cancelRetry(delivery)
    delete delivery.nextAttemptAt
    delivery.status = status
  }

  #cancelRetry(delivery: Delivery): void {
    this.#retries.get(delivery)?.()
    this.#retries.delete(delivery)
  }

  /** Makes one attempt beside the schedule. Resolves when it is over. */
  resend(delivery: Delivery, wanted: readonly Forgery[]): Promise<void> {
    const forgeries = together(delivery.forgeries, wanted)
    return this.#jobs.run(async () => {
      const isAccepted = await this.#tryOnce(delivery, forgeries)
      // An endpoint that accepts a forgery has not received the event itself.
      if (isAccepted && forgeries.length === 0) this.#finish(delivery, 'delivered')
      this.#tools.onChange(delivery)
    })
  }

  /** Makes one attempt of each, a few at a time. Resolves when all of them are over. */
  async resendAll(deliveries: readonly Delivery[]): Promise<void> {
    const left = deliveries.values()
    const sendOneByOne = async () => {
      for (const delivery of left) await this.resend(delivery, [])
    }
    await this.#jobs.run(() => Promise.all(Array.from({ length: RESENT_AT_A_TIME }, sendOneByOne)))
  }

  /** Resolves when no attempt is running. */
  idle(): Promise<void> {
    return this.#jobs.until(() => true)
  }

  /** Resolves when every delivery was accepted, or is dead. */
  drained(): Promise<void> {
    return this.#jobs.until(() => this.#ended.signal.aborted || this.count().pending === 0)
  }

  /** Aborts the running attempts, and cancels all planned ones. */
  end(): void {
    this.#ended.abort()
    for (const cancel of [...this.#retries.values(), ...this.#delays]) cancel()
    this.#jobs.changed()
  }
}

function together(own: readonly Forgery[], others: readonly Forgery[]): readonly Forgery[] {
  return FORGERIES.filter((forgery) => own.includes(forgery) || others.includes(forgery))
}

/** An attempt sends the text of its delivery, unless it was tampered with. */
function bytesOf(delivery: Delivery): number {
  const { body, attempts } = delivery
  return sizeOf({
    ...delivery,
    attempts: attempts.map((made) => (made.body === body ? { ...made, body: '' } : made)),
  })
}
