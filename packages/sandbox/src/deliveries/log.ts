import type { Delivery } from './delivery.js'

/** A sandbox that runs for weeks does not grow for ever. */
const KEPT = 10_000

/** What was sent, up to a bound: of more, the oldest that are over are forgotten. */
export interface DeliveryLog {
  readonly add: (delivery: Delivery) => void
  readonly get: (id: string) => Delivery | undefined
  readonly list: () => readonly Delivery[]
}

export function createLog(kept: number = KEPT): DeliveryLog {
  const deliveries = new Map<string, Delivery>()
  return {
    add(delivery) {
      deliveries.set(delivery.id, delivery)
      if (deliveries.size <= kept) return
      const over = [...deliveries.values()].find(({ status }) => status !== 'pending')
      if (over !== undefined) deliveries.delete(over.id)
    },
    get: (id) => deliveries.get(id),
    list: () => [...deliveries.values()],
  }
}
