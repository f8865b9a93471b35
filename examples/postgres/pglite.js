import { PGlite } from '@electric-sql/pglite'
import express from 'express'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const database = new PGlite()
await database.exec('CREATE TABLE bookings (type text)')
const inbox = postgresInbox(database)
await inbox.migrate()

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), async (req, res) => {
  const { webhook } = req
  // #region handle
  const { outcome } = await inbox.handle(webhook, (tx) =>
    tx.query('INSERT INTO bookings VALUES ($1)', [webhook.event.type]),
  )
  // #endregion
  console.log(`${outcome}: ${webhook.event.type}`)
  res.sendStatus(204)
})
app.listen(process.env.PORT ?? 3000)
