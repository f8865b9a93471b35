import { EventEmitter, once } from 'node:events'
import { Queue } from 'bullmq'

// What the endpoint beside it would have put there, before the worker runs.
const queue = new Queue('payment-events', { connection: { url: process.env.REDIS_URL } })
const job = await queue.add('intent.processed', {}, { jobId: `of-${process.pid}` })

const news = new EventEmitter()
const done = once(news, job.id)
const { snippet } = await import('../frame.js')
snippet.worker.on('completed', ({ id }) => news.emit(id))
await done
await snippet.worker.close()
await queue.close()
