import { setMaxListeners } from 'node:events'
import type { Cancel } from '../clock.js'
import type { Event } from '../events/events.js'
import { NO_FAULTS, type AttemptFaults, type Faults } from '../faults/faults.js'
import type { Random } from '../random.js'
import { attempt, isAccepted, type AttemptTools } from './attempts.js'
import type { Delivery } from './delivery.js'
import { createLog } from './log.js'
import { RETRY_DELAYS_MS } from './schedule.js'
import { createWork } from './work.js'

export interface DeliveryTools extends AttemptTools {
  readonly random: Random
  readonly faults: Faults
  readonly timeScale: number
  /** Something about a delivery is new. */
  readonly onChange: (delivery: Delivery) => void
}

/** What is done on purpose to an attempt that was asked for. */
export type ResendFaults = Partial<Pick<AttemptFaults, 'tamper' | 'stale'>>

/** What is sent to the merchants, and what was. */
export interface Deliveries {
  /** Sends the events of one payment: the next one after the first attempt of the one before. */
  readonly send: (events: readonly Event[], to: { readonly intentId: string; readonly url: string }) => void
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
  const { clock, random, faults, timeScale, onChange } = tools
  const log = createLog()
  const work = createWork()
  const ended = new AbortController()
  // Each attempt that is under way listens to it.
  setMaxListeners(0, ended.signal)
  const retries = new Map<Delivery, Cancel>()
  const delays = new Set<Cancel>()

  function send(events: readonly Event[], { intentId, url }: { intentId: string; url: string }): void {
    const made = events.map((event): Delivery => {
      const id = random.id('dlv')
      const created = clock.now()
      return { id, ...event, intentId, url, created, status: 'pending', retries: 0, attempts: [] }
    })
    for (const delivery of made) {
      log.add(delivery)
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
        // A resend may have got through in the meantime.
        if (delivery.status === 'pending') {
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
    return isAccepted(made)
  }

  function settle(delivery: Delivery, isDelivered: boolean): void {
    if (ended.signal.aborted) return
    if (isDelivered) finish(delivery, 'delivered')
    else if (delivery.status === 'pending') planRetry(delivery)
    onChange(delivery)
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
    list: log.list,
    get: log.get,
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
      work.until(() => ended.signal.aborted || !log.list().some(({ status }) => status === 'pending')),
    end() {
      ended.abort()
      for (const cancel of [...retries.values(), ...delays]) cancel()
      work.changed()
    },
  }
}
