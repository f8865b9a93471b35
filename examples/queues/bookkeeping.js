// The work of a job in every engine: it calls the bookkeeping, which may be slow, or down for a while.
import { createDispatcher, recognize } from '@service-signature/core'

export class NoHandlerError extends Error {}

/**
 * A job may run twice: a worker that died in the middle has not recorded how far it got. So the bookkeeping needs the key
 * of the delivery, to recognize what it has booked. The handlers of a job are made for its key.
 */
export async function runJob(key, payload) {
  const dispatcher = createDispatcher()
    .on('transaction.purchase.successful', ({ type, payload }) => {
      const { id, amount } = payload.intent
      return book(key, { type, intent: id, amount: amount.value, currency: amount.currency })
    })
    .on('intent.processed', ({ type, payload }) => {
      const { id, amount, amount_currency } = payload.data.intent
      return book(key, { type, intent: id, amount, currency: amount_currency })
    })
    .otherwise(({ event }) => {
      const name = event.type === 'unrecognized' ? `${event.receivedType} (${event.reason})` : event.type
      throw new NoHandlerError(`no handler for ${name}`)
    })
  // The endpoint verified the payload before it added the job.
  await dispatcher.dispatch(recognize(payload))
  console.log(`booked ${key}`)
}

async function book(key, booking) {
  const response = await fetch(process.env.BOOKKEEPING_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(booking),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`the bookkeeping answered ${response.status}`)
}
