import { createVerifier } from '@service-signature/core'

const { PAYMENT_ACCOUNT, WEBHOOK_SECRET } = process.env
if (!PAYMENT_ACCOUNT || !WEBHOOK_SECRET) throw new Error('Set PAYMENT_ACCOUNT and WEBHOOK_SECRET')

export const verifier = createVerifier({
  secret: WEBHOOK_SECRET,
  // Transaction events do not say their mode, and are not booked.
  expect: { account: PAYMENT_ACCOUNT, live: true, transactionMode: 'unknown' },
})

/** @param {{ id: string, value: number, currency: string }} order as you stored it with the intent */
export async function isPaid(rawBody, header, order) {
  const { event } = await verifier.verify(rawBody, header)
  if (event.type !== 'intent.processed') return false
  const { intent } = event.payload.data
  return (
    intent.status === 'PROCESSED' &&
    event.payload.data.intent_id === order.id &&
    intent.amount === order.value &&
    intent.amount_currency === order.currency
  )
}
