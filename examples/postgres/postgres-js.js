import express from 'express'
import postgres from 'postgres'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const sql = postgres(process.env.DATABASE_URL)
const inbox = postgresInbox(sql)
await inbox.migrate()

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), async (req, res) => {
  const { webhook } = req
  // #region handle
  const { outcome } = await inbox.handle(
    webhook,
    (sql) => sql`INSERT INTO bookings VALUES (${webhook.event.type})`,
  )
  // #endregion
  console.log(`${outcome}: ${webhook.event.type}`)
  res.sendStatus(204)
})
app.listen(process.env.PORT ?? 3000)
