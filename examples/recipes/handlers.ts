import type { EventHandler } from '@service-signature/core'

/** The part of your database that the handler needs. A test passes an object of its own. */
export interface Orders {
  markPaid(intentId: string, amount: { value: number; currency: string }): Promise<void>
}

/** Makes the handler of a purchase. */
export function fulfil(orders: Orders): EventHandler<'transaction.purchase.successful'> {
  return async ({ payload }) => {
    await orders.markPaid(payload.intent.id, payload.intent.amount)
  }
}
