// Adds a job in the transaction of the inbox: each delivery that is acknowledged has one job.
import { deliveryKey } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'
import express from 'express'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'

const { DATABASE_URL, PAYMENT_ACCOUNT, PAYMENT_MODE = 'live', PORT = 3000, WEBHOOK_SECRET } = process.env
if (!DATABASE_URL || !PAYMENT_ACCOUNT || !WEBHOOK_SECRET)
  throw new Error('Set DATABASE_URL, PAYMENT_ACCOUNT and WEBHOOK_SECRET')

const pool = new pg.Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 3000 })
const inbox = postgresInbox(pool)
await inbox.migrate()
await runMigrations({ connectionString: DATABASE_URL })

const webhooks = serviceSignature({
  secret: WEBHOOK_SECRET,
  // Transaction events do not say their mode, and are not booked.
  expect: { account: PAYMENT_ACCOUNT, live: PAYMENT_MODE !== 'test', transactionMode: 'unknown' },
  onRejected: (error) => console.warn(error.code, error.message),
})

const app = express()
// #region route
app.post('/webhooks', webhooks, async (req, res) => {
  const { payload } = req.webhook.event
  const key = await deliveryKey(req.webhook)
  await inbox.handle(req.webhook, (client) =>
    client.query(
      `SELECT graphile_worker.add_job('payment-event', payload => $1, job_key => $2, max_attempts => 10)`,
      [JSON.stringify(payload), key],
    ),
  )
  res.sendStatus(204)
})
// #endregion
app.listen(PORT)
