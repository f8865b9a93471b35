// Takes the events from the queue that endpoint.js fills. Run as many as you like.
import { UnrecoverableError, Worker } from 'bullmq'
import { NoHandlerError, runJob } from '../bookkeeping.js'

const { REDIS_URL, STALLED_INTERVAL_MS = 30_000 } = process.env
if (!REDIS_URL) throw new Error('Set REDIS_URL')

const worker = new Worker('payment-events', ({ id, data }) => runJob(id, data).catch(fail), {
  connection: { url: REDIS_URL },
  concurrency: 10,
  // How often to look for jobs whose worker died, and how many may do so before the job counts as failed.
  stalledInterval: Number(STALLED_INTERVAL_MS),
  maxStalledCount: 10,
})
worker.on('failed', (job, error) => console.error(`failed ${job?.id}: ${error.message}`))
worker.on('error', console.error)

// Finishes its jobs before it ends.
process.once('SIGTERM', () => worker.close())

/** Lets BullMQ retry with growing delays, unless another attempt would not help. */
function fail(error) {
  throw error instanceof NoHandlerError ? new UnrecoverableError(error.message) : error
}
