import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import express from 'express'
import pg from 'pg'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
pool.on('error', console.error)
const db = drizzle(pool)
const bookings = pgTable('bookings', { type: text() })
const inbox = postgresInbox(pool)
await inbox.migrate()

// #region book
async function book(webhook) {
  return db.transaction(async (tx) => {
    const isNew = await inbox.record(webhook, (strings, key) => tx.execute(sql(strings, key)))
    if (!isNew) return 'duplicate'
    await tx.insert(bookings).values({ type: webhook.event.type })
    return 'handled'
  })
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
