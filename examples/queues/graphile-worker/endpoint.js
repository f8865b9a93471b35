// Adds a job in the transaction of the inbox: each delivery that is acknowledged has one job.
import { deliveryKey } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'
import express from 'express'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'

const { DATABASE_URL, PORT = 3000, WEBHOOK_SECRET } = process.env

const pool = new pg.Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 3000 })
pool.on('error', console.error)
const inbox = postgresInbox(pool)
await inbox.migrate()
await runMigrations({ connectionString: DATABASE_URL })

const app = express()
app.post('/webhooks', serviceSignature({ secret: WEBHOOK_SECRET }), async (req, res) => {
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
app.listen(PORT)
