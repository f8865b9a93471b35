// Adds a job in the transaction of the inbox: each delivery that is acknowledged has one job.
import { deliveryKey } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'
import express from 'express'
import pg from 'pg'
import PgBoss from 'pg-boss'

const { DATABASE_URL, PAYMENT_ACCOUNT, PAYMENT_MODE = 'live', PORT = 3000, WEBHOOK_SECRET } = process.env
if (!DATABASE_URL || !PAYMENT_ACCOUNT || !WEBHOOK_SECRET)
  throw new Error('Set DATABASE_URL, PAYMENT_ACCOUNT and WEBHOOK_SECRET')

const pool = new pg.Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 3000 })
const inbox = postgresInbox(pool)
await inbox.migrate()

// Maintenance is left to the workers.
const boss = new PgBoss({ db: databaseOf(pool), supervise: false, schedule: false })
boss.on('error', console.error)
await boss.start()
await boss.createQueue('payment-events-failed')
await boss.createQueue('payment-events', {
  name: 'payment-events',
  // 10 attempts in all, later and later: the second after 1 to 2 s, the third after 2 to 4 s.
  retryLimit: 9,
  retryDelay: 1,
  retryBackoff: true,
  // A job that is not done after this time is tried again, because its worker may have died.
  expireInSeconds: 60,
  deadLetter: 'payment-events-failed',
})

const webhooks = serviceSignature({
  secret: WEBHOOK_SECRET,
  // Transaction events do not say their mode, and are not booked.
  expect: { account: PAYMENT_ACCOUNT, live: PAYMENT_MODE !== 'test', transactionMode: 'unknown' },
  onRejected: (error) => console.warn(error.code, error.message),
})

const app = express()
app.post('/webhooks', webhooks, async (req, res) => {
  const { payload } = req.webhook.event
  const key = await deliveryKey(req.webhook)
  await inbox.handle(req.webhook, async (client) => {
    const id = await boss.send('payment-events', { key, payload }, { db: databaseOf(client) })
    // If the queue was deleted, pg-boss adds nothing and reports no error.
    if (id === null) throw new Error('The queue "payment-events" does not exist')
  })
  res.sendStatus(204)
})
app.listen(PORT)

/** A pool or a client of `pg`, as pg-boss takes it. */
function databaseOf(client) {
  return { executeSql: (text, values) => client.query(text, values) }
}
