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

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), async (req, res) => {
  const { webhook } = req
  // #region record
  const isNew = await db.transaction(async (tx) => {
    const isNew = await inbox.record(webhook, (strings, key) => tx.execute(sql(strings, key)))
    if (isNew) await tx.insert(bookings).values({ type: webhook.event.type })
    return isNew
  })
  // #endregion
  console.log(`${isNew ? 'handled' : 'duplicate'}: ${webhook.event.type}`)
  res.sendStatus(204)
})
app.listen(process.env.PORT ?? 3000)
