import { PGlite } from '@electric-sql/pglite'
import express from 'express'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const database = new PGlite()
await database.exec('CREATE TABLE bookings (type text)')
const inbox = postgresInbox(database)
await inbox.migrate()

// #region book
async function book(webhook) {
  const { outcome } = await inbox.handle(webhook, (tx) =>
    tx.query('INSERT INTO bookings VALUES ($1)', [webhook.event.type]),
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
