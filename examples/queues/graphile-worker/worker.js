// Takes the events from the queue that endpoint.js fills. Run as many as you like.
import { run } from 'graphile-worker'
import { runJob } from '../bookkeeping.js'

const { DATABASE_URL } = process.env
if (!DATABASE_URL) throw new Error('Set DATABASE_URL')

// If the task throws, graphile-worker retries it with growing delays. After SIGTERM it finishes its jobs before it
// ends.
const runner = await run({
  connectionString: DATABASE_URL,
  concurrency: 10,
  taskList: {
    'payment-event': (payload, { job }) => runJob(job.key, payload),
  },
})
await runner.promise
