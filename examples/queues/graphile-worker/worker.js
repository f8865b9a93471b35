// Takes the events from the queue that endpoint.js fills. Run as many as you like.
import { run } from 'graphile-worker'
import { runJob } from '../bookkeeping.js'

// What the task throws lets graphile-worker try again, later and later. After SIGTERM it finishes its jobs before it ends.
const runner = await run({
  connectionString: process.env.DATABASE_URL,
  concurrency: 10,
  taskList: {
    'payment-event': (payload, { job }) => runJob(job.key, payload),
  },
})
await runner.promise
