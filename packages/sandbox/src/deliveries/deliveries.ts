import { setMaxListeners } from 'node:events'
import type { Cancel } from '../clock.js'
import type { Event } from '../events/events.js'
import { FORGERIES, type Faults, type Forgery } from '../faults/faults.js'
import { KeptMap, sizeOf, type Memory } from '../memory.js'
import type { Random } from '../random.js'
import type { Storage } from '../storage/storage.js'
import { attempt, isAccepted, type AttemptTools } from './attempts.js'
import { Delivery, DELIVERY_KIND, RETRY_DELAYS_MS, type Attempt } from './delivery.js'
import { PendingJobs } from './pending-jobs.js'

export interface DeliveryTools extends AttemptTools {
  readonly memory: Memory
  readonly storage: Storage
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

/** How many deliveries are sent at a time if many are due at once. */
const SENT_AT_A_TIME = 8

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
    this.#log = new KeptMap<Delivery>({
      memory: tools.memory,
      storage: tools.storage,
      kind: DELIVERY_KIND,
      bytesOf,
      onForget: (delivery) => {
        this.#cancelRetry(delivery)
        this.#jobs.changed()
      },
    })
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

  /** Keeps it longer than those that are not in use. */
  touch({ id }: Delivery): void {
    this.#log.touch(id)
  }

  /** Goes on with the deliveries that an earlier process has left: their retries, and what it could not send. */
  resume(): void {
    const { clock } = this.#tools
    const late: Delivery[] = []
    for (const delivery of this.#log.values()) {
      if (delivery.status !== 'pending') continue
      if (delivery.nextAttemptAt !== undefined && delivery.nextAttemptAt > clock.now()) {
        this.#attemptAfter(delivery, delivery.nextAttemptAt - clock.now())
      } else late.push(delivery)
    }
    void this.#jobs.run(() =>
      sendAll(groupsOf(late), async (group) => {
        for (const delivery of group) {
          const { duplicate, forgeries } = this.#tools.faults.forAttempt(delivery.id)
          delivery.nextAttemptAt = undefined
          await this.#tryUnderFaults(delivery, together(delivery.forgeries, forgeries), duplicate)
        }
      }),
    )
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
    const made = events.map((event) => {
      const id = random.id('dlv')
      const state = { status: 'pending', retries: 0, attempts: [] } as const
      return new Delivery({ id, ...event, ...to, created: clock.now(), ...state })
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
        await this.#tryUnderFaults(delivery, forgeries, duplicate)
        // The next one starts within this job, so that `idle` does not resolve between the two.
        this.#sendInOrder(others)
      })
    })
  }

  async #tryUnderFaults(
    delivery: Delivery,
    forgeries: readonly Forgery[],
    isDuplicated: boolean,
  ): Promise<void> {
    // A resend may have been accepted in the meantime, or the delivery was forgotten.
    if (delivery.status !== 'pending' || !this.#log.has(delivery.id)) return
    const outcomes = [await this.#tryOnce(delivery, forgeries)]
    if (isDuplicated) outcomes.push(await this.#tryOnce(delivery, forgeries))
    this.#settle(delivery, outcomes.includes(true))
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
    // The receiver must never see an id that is forgotten if the process is killed now.
    const isWritten = await this.#tools.storage.written()
    if (!isWritten || this.#ended.signal.aborted) return false
    const made = await attempt(this.#tools, delivery, forgeries, this.#ended.signal)
    if (made === undefined) return false
    // An array that grows in place, or is spread, keeps room for 16 more.
    delivery.attempts = delivery.attempts.concat(made)
    this.#log.changed(delivery.id)
    this.#tools.onAttempt(delivery, made)
    return isAccepted(made)
  }

  #settle(delivery: Delivery, isDelivered: boolean): void {
    if (this.#ended.signal.aborted || !this.#log.has(delivery.id)) return
    if (isDelivered) this.#finish(delivery, 'delivered')
    else if (delivery.status === 'pending') this.#planRetry(delivery)
    this.#changed(delivery)
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
    delivery.nextAttemptAt = this.#tools.clock.now() + delayMs
    this.#attemptAfter(delivery, delayMs)
  }

  #attemptAfter(delivery: Delivery, delayMs: number): void {
    const cancel = this.#tools.clock.after(delayMs, () => {
      this.#retries.delete(delivery)
      delivery.nextAttemptAt = undefined
      this.#sendInOrder([delivery])
    })
    this.#retries.set(delivery, cancel)
  }

  #finish(delivery: Delivery, status: 'delivered' | 'dead'): void {
    this.#cancelRetry(delivery)
    delivery.nextAttemptAt = undefined
    delivery.status = status
  }

  #changed(delivery: Delivery): void {
    this.#log.changed(delivery.id)
    this.#tools.onChange(delivery)
  }

  #cancelRetry(delivery: Delivery): void {
    this.#retries.get(delivery)?.()
    this.#retries.delete(delivery)
  }

  /** Makes one attempt outside of the schedule. Resolves when it is over. */
  resend(delivery: Delivery, wanted: readonly Forgery[]): Promise<void> {
    const forgeries = together(delivery.forgeries, wanted)
    return this.#jobs.run(async () => {
      const isAccepted = await this.#tryOnce(delivery, forgeries)
      // An endpoint that accepts a forgery has not received the event itself.
      if (isAccepted && forgeries.length === 0) this.#finish(delivery, 'delivered')
      this.#changed(delivery)
    })
  }

  /** Makes one attempt of each, a few at a time. Resolves when all of them are over. */
  async resendAll(deliveries: readonly Delivery[]): Promise<void> {
    await this.#jobs.run(() => sendAll(deliveries, (delivery) => this.resend(delivery, [])))
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

/** About what the objects of a delivery and of an attempt take, with their ids and their places in lists. */
const DELIVERY_BYTES = 700
const ATTEMPT_BYTES = 250

function bytesOf({ text, url, attempts }: Delivery): number {
  let bytes = DELIVERY_BYTES + sizeOf(text.own) + sizeOf(url)
  for (const { signature, changedBody, answer, error } of attempts) {
    bytes += ATTEMPT_BYTES + sizeOf(signature) + sizeOf(changedBody) + sizeOf(answer) + sizeOf(error)
  }
  return bytes
}
