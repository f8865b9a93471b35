// Takes the events from the queue that endpoint.js fills. Run as many as you like.
import { Worker } from 'bullmq'

const { BOOKKEEPING_URL, REDIS_URL, STALLED_INTERVAL_MS = 30_000 } = process.env

const worker = new Worker('payment-events', book, {
  connection: { url: REDIS_URL },
  concurrency: 10,
  // How often to look for jobs whose worker died, and how many may do so before the job counts as failed.
  stalledInterval: Number(STALLED_INTERVAL_MS),
  maxStalledCount: 10,
})

// A job runs at least once: a worker that dies in the middle does not know how far it came. So what it calls must know
// the job again, by its id.
async function book(job) {
  const response = await fetch(BOOKKEEPING_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': job.id },
    body: JSON.stringify({ type: job.name, payload: job.data }),
  })
  // What is thrown here lets BullMQ try again, later and later.
  if (!response.ok) throw new Error(`the bookkeeping answered ${response.status}`)
}

worker.on('completed', (job) => console.log(`booked ${job.id}`))
worker.on('failed', (job, error) => console.error(`not booked ${job?.id}: ${error.message}`))
worker.on('error', console.error)
