// Answers 2xx as soon as an event is safe in the queue. worker.js does the slow work.
import { deliveryKey } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { Queue } from 'bullmq'
import express from 'express'

const { PAYMENT_ACCOUNT, PAYMENT_MODE = 'live', PORT = 3000, REDIS_URL, WEBHOOK_SECRET } = process.env
if (!PAYMENT_ACCOUNT || !REDIS_URL || !WEBHOOK_SECRET)
  throw new Error('Set PAYMENT_ACCOUNT, REDIS_URL and WEBHOOK_SECRET')

const DAY = 86_400

const queue = new Queue('payment-events', {
  // Fail fast: if Redis is down, the sender gets its answer at once and can retry. With the default settings the job would wait
  // in this process, and the sender for its answer.
  connection: { url: REDIS_URL, enableOfflineQueue: false, maxRetriesPerRequest: 1 },
  defaultJobOptions: { attempts: 10, backoff: { type: 'exponential', delay: 1000 } },
})
queue.on('error', console.error)

const webhooks = serviceSignature({
  secret: WEBHOOK_SECRET,
  // Transaction events do not say their mode, and are not booked.
  expect: { account: PAYMENT_ACCOUNT, live: PAYMENT_MODE !== 'test', transactionMode: 'unknown' },
  onRejected: (error) => console.warn(error.code, error.message),
})

const app = express()

// No "replay" is needed here. The same delivery has the same job id, and BullMQ adds no job whose id it knows: whether
// the job waits, runs, has failed or is done. A job that is done is known for a day, longer than a delivery is fresh.
app.post('/webhooks', webhooks, async (req, res) => {
  const { event } = req.webhook
  const jobId = await deliveryKey(req.webhook)
  await queue.add(event.type, event.payload, { jobId, removeOnComplete: { age: DAY } })
  res.sendStatus(204)
})

await queue.waitUntilReady()
app.listen(PORT)
