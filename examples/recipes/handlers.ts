import type { EventHandler } from '@service-signature/core'

/** The part of your database that the handler needs. A test passes an object of its own. */
export interface Orders {
  markPaid(intentId: string, amount: { value: number; currency: string }): Promise<void>
}

/** Makes the handler of a paid intent. */
export function fulfil(orders: Orders): EventHandler<'intent.processed'> {
  return async ({ payload }) => {
    const { id, status, amount: value, amount_currency: currency } = payload.data.intent
    if (status === 'PROCESSED') await orders.markPaid(id, { value, currency })
  }
}
