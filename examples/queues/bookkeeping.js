// The work of a job in every engine: it calls the bookkeeping, which may be slow, or down for a while.
import { createDispatcher, recognize } from '@service-signature/core'

const { BOOKKEEPING_URL } = process.env
if (!BOOKKEEPING_URL) throw new Error('Set BOOKKEEPING_URL')

export class NoHandlerError extends Error {}

// #region handlers
const dispatcher = createDispatcher()
  .on('intent.processed', async ({ payload }) => {
    const { id, status, amount, amount_currency: currency } = payload.data.intent
    if (status === 'PROCESSED') await book(`intent:${id}:PROCESSED`, { intent: id, amount, currency })
  })
  // The other event of the same payment.
  .on('transaction.*', () => undefined)
  .otherwise(({ event }) => {
    const name = event.type === 'unrecognized' ? `${event.receivedType} (${event.reason})` : event.type
    throw new NoHandlerError(`no handler for ${name}`)
  })
// #endregion

/** Does a job, whose payload the endpoint has verified. */
export async function runJob(key, payload) {
  await dispatcher.dispatch(recognize(payload))
  console.log(`done ${key}`)
}

/** A job may run twice, because a worker that died has not recorded how far it got. By the key, a booking is recognized. */
async function book(key, booking) {
  const response = await fetch(BOOKKEEPING_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(booking),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`the bookkeeping answered ${response.status}`)
}
