import express from 'express'
import postgres from 'postgres'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const sql = postgres(process.env.DATABASE_URL, {
  // With the default, true, a connection that is lost while it connects ends the process.
  fetch_types: false,
  // In milliseconds: postgres.js does not close a connection that no longer answers, so the server frees the key of its delivery.
  connection: { idle_in_transaction_session_timeout: 60_000 },
})
const inbox = postgresInbox(sql)
await inbox.migrate()

// #region book
async function book(webhook) {
  const { outcome } = await inbox.handle(
    webhook,
    (tx) => tx`INSERT INTO bookings VALUES (${webhook.event.type})`,
  )
  return outcome
}
// #endregion

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), async (req, res) => {
  const { webhook } = req
  const outcome = await book(webhook)
  console.log(`${outcome}: ${webhook.event.type}`)
  res.sendStatus(204)
})
app.listen(process.env.PORT ?? 3000)
