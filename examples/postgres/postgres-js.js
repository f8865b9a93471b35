import express from 'express'
import postgres from 'postgres'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const sql = postgres(process.env.DATABASE_URL)
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
