// Takes the events from the queue that endpoint.js fills. Run as many as you like.
import PgBoss from 'pg-boss'
import { runJob } from '../bookkeeping.js'

const { DATABASE_URL, POLLING_SECONDS = 1 } = process.env
if (!DATABASE_URL) throw new Error('Set DATABASE_URL')

const CONCURRENCY = 5

const boss = new PgBoss(DATABASE_URL)
boss.on('error', console.error)
await boss.start()

// If a handler throws, pg-boss retries the job with growing delays.
for (let count = 0; count < CONCURRENCY; count++) {
  await boss.work(
    'payment-events',
    { pollingIntervalSeconds: Number(POLLING_SECONDS) },
    async ([{ data }]) => {
      try {
        await runJob(data.key, data.payload)
      } catch (error) {
        console.error(`failed ${data.key}: ${error.message}`)
        throw error
      }
    },
  )
}

// Finishes its jobs before it ends.
process.once('SIGTERM', () => boss.stop())
