import { setMaxListeners } from 'node:events'
import type { Cancel } from '../clock.js'
import type { Event } from '../events/events.js'
import { NO_FAULTS, type AttemptFaults, type Faults } from '../faults/faults.js'
import { KeptMap, sizeOf, type Memory } from '../memory.js'
import type { Random } from '../random.js'
import { attempt, isAccepted, type AttemptTools } from './attempts.js'
import type { Delivery } from './delivery.js'
import { RETRY_DELAYS_MS } from './schedule.js'
import { createWork } from './work.js'

export interface DeliveryTools extends AttemptTools {
  readonly memory: Memory
  readonly random: Random
  readonly faults: Faults
  readonly timeScale: number
  /** Something about a delivery is new. */
  readonly onChange: (delivery: Delivery) => void
}

/** What is done on purpose to an attempt that was asked for. */
export type ResendFaults = Partial<Pick<AttemptFaults, 'tamper' | 'stale'>>

/** Where the events of a payment go, and whose key signs them. */
export type Addressee = Pick<Delivery, 'intentId' | 'url' | 'accountId' | 'keyId'>

/** What is sent to the merchants, and what was. */
export interface Deliveries {
  /** Sends the events of one payment: the next one after the first attempt of the one before. */
  readonly send: (events: readonly Event[], to: Addressee) => void
  readonly list: () => readonly Delivery[]
  readonly get: (id: string) => Delivery | undefined
  /** One attempt beside the schedule. Resolves when it is over. */
  readonly resend: (delivery: Delivery, faults: ResendFaults) => Promise<void>
  /** Resolves when no attempt is under way. */
  readonly idle: () => Promise<void>
  /** Resolves when no delivery is left to be tried. */
  readonly drained: () => Promise<void>
  /** Breaks off what is under way, and forgets what was to come. */
  readonly end: () => void
}

export function createDeliveries(tools: DeliveryTools): Deliveries {
  const { clock, memory, random, faults, timeScale, onChange } = tools
  const work = createWork()
  const ended = new AbortController()
  // Each attempt that is under way listens to it.
  setMaxListeners(0, ended.signal)
  const retries = new Map<Delivery, Cancel>()
  const delays = new Set<Cancel>()
  const log = new KeptMap<Delivery>(memory, forget, bytesOf)

  function send(events: readonly Event[], to: Addressee): void {
    const made = events.map((event): Delivery => {
      const id = random.id('dlv')
      const created = clock.now()
      return { id, ...event, ...to, created, status: 'pending', retries: 0, attempts: [] }
    })
    for (const delivery of made) {
      log.set(delivery.id, delivery)
      onChange(delivery)
    }
    sendInTurn(faults.reorders(made[0]!.id) ? made.reverse() : made)
  }

  function sendInTurn([delivery, ...others]: readonly Delivery[]): void {
    if (delivery === undefined || ended.signal.aborted) return
    tryWithFaults(delivery, () => {
      sendInTurn(others)
    })
  }

  /** Makes an attempt as the faults will have it, plans the next one if it fails, and goes on. */
  function tryWithFaults(delivery: Delivery, goOn: () => void): void {
    const { delayMs, duplicate, ...what } = faults.forAttempt(delivery.id)
    const start = () => {
      void work.run(async () => {
        // A resend may have been accepted in the meantime, or the delivery was forgotten.
        if (delivery.status === 'pending' && log.has(delivery.id)) {
          const outcomes = [await tryOnce(delivery, what)]
          if (duplicate) outcomes.push(await tryOnce(delivery, what))
          settle(delivery, outcomes.includes(true))
        }
        goOn()
      })
    }
    if (delayMs === 0) {
      start()
      return
    }
    const cancel = clock.after(delayMs, () => {
      delays.delete(cancel)
      start()
    })
    delays.add(cancel)
  }

  /** One request, and whether it was accepted. */
  async function tryOnce(
    delivery: Delivery,
    what: Pick<AttemptFaults, 'tamper' | 'stale'>,
  ): Promise<boolean> {
    if (ended.signal.aborted) return false
    const made = await attempt(tools, delivery, what, ended.signal)
    if (made === undefined) return false
    delivery.attempts.push(made)
    log.touch(delivery.id)
    return isAccepted(made)
  }

  function settle(delivery: Delivery, isDelivered: boolean): void {
    if (ended.signal.aborted || !log.has(delivery.id)) return
    if (isDelivered) finish(delivery, 'delivered')
    else if (delivery.status === 'pending') planRetry(delivery)
    onChange(delivery)
  }

  /** There was no memory left for it. */
  function forget(delivery: Delivery): void {
    retries.get(delivery)?.()
    retries.delete(delivery)
    work.changed()
  }

  function finish(delivery: Delivery, status: 'delivered' | 'dead'): void {
    retries.get(delivery)?.()
    retries.delete(delivery)
    delete delivery.nextAttemptAt
    delivery.status = status
  }

  function planRetry(delivery: Delivery): void {
    const delay = RETRY_DELAYS_MS[delivery.retries]
    if (delay === undefined) {
      finish(delivery, 'dead')
      return
    }
    delivery.retries++
    delivery.nextAttemptAt = clock.now() + delay / timeScale
    const cancel = clock.after(delay / timeScale, () => {
      retries.delete(delivery)
      delete delivery.nextAttemptAt
      tryWithFaults(delivery, () => undefined)
    })
    retries.set(delivery, cancel)
  }

  return {
    send,
    list: () => [...log.values()],
    get: (id) => log.get(id),
    resend: (delivery, what) =>
      work.run(async () => {
        const isDelivered = await tryOnce(delivery, { ...NO_FAULTS, ...what })
        // An endpoint that accepts a spoiled request has not received the event itself.
        const isSpoiled = what.tamper === true || what.stale === true
        if (isDelivered && !isSpoiled) finish(delivery, 'delivered')
        onChange(delivery)
      }),
    idle: () => work.until(() => true),
    drained: () =>
      work.until(() => ended.signal.aborted || ![...log.values()].some(({ status }) => status === 'pending')),
    end() {
      ended.abort()
      for (const cancel of [...retries.values(), ...delays]) cancel()
      work.changed()
    },
  }
}

/** An attempt sends the text of its delivery, unless it was tampered with. */
function bytesOf(delivery: Delivery): number {
  const { body, attempts } = delivery
  return sizeOf({
    ...delivery,
    attempts: attempts.map((made) => (made.body === body ? { ...made, body: '' } : made)),
  })
}
