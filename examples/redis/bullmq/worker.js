// Takes the events from the queue that endpoint.js fills. Run as many as you like.
import { createDispatcher, recognize } from '@service-signature/core'
import { UnrecoverableError, Worker } from 'bullmq'

const { BOOKKEEPING_URL, REDIS_URL, STALLED_INTERVAL_MS = 30_000 } = process.env

// The payload was verified before it was queued. What a handler throws lets BullMQ try again, later and later.
const worker = new Worker('payment-events', (job) => dispatcherFor(job).dispatch(recognize(job.data)), {
  connection: { url: REDIS_URL },
  concurrency: 10,
  // How often to look for jobs whose worker died, and how many may do so before the job counts as failed.
  stalledInterval: Number(STALLED_INTERVAL_MS),
  maxStalledCount: 10,
})

/** Makes the handlers of one job, because they need its id. */
function dispatcherFor(job) {
  return createDispatcher()
    .on('transaction.purchase.successful', ({ type, payload }) => {
      const { id, amount } = payload.intent
      return book(job.id, { type, intent: id, amount: amount.value, currency: amount.currency })
    })
    .on('intent.processed', ({ type, payload }) => {
      const { id, amount, amount_currency } = payload.data.intent
      return book(job.id, { type, intent: id, amount, currency: amount_currency })
    })
    .otherwise(({ event }) => {
      // Another attempt would not help. The job stays with the failed ones, to be retried after an update of the worker.
      const name = event.type === 'unrecognized' ? `${event.receivedType} (${event.reason})` : event.type
      throw new UnrecoverableError(`no handler for ${name}`)
    })
}

// A job runs at least once: a worker that dies in the middle does not know how far it came. So the bookkeeping must
// recognize a job that it has seen, by its id.
async function book(id, booking) {
  const response = await fetch(BOOKKEEPING_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': id },
    body: JSON.stringify(booking),
  })
  if (!response.ok) throw new Error(`the bookkeeping answered ${response.status}`)
}

worker.on('completed', (job) => console.log(`booked ${job.id}`))
worker.on('failed', (job, error) => console.error(`not booked ${job?.id}: ${error.message}`))
worker.on('error', console.error)
