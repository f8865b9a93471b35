import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { numeric, pgTable, text } from 'drizzle-orm/pg-core'
import express from 'express'
import pg from 'pg'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const { DATABASE_URL, PORT = 3000, WEBHOOK_SECRET } = process.env
if (!DATABASE_URL || !WEBHOOK_SECRET) throw new Error('Set DATABASE_URL and WEBHOOK_SECRET')

const pool = new pg.Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 3000 })
const db = drizzle(pool)
const payments = pgTable('payments', { intent_id: text(), amount: numeric({ mode: 'number' }) })
const inbox = postgresInbox(pool)
await inbox.migrate()

// #region book
async function book(webhook) {
  const { id, amount } = webhook.payload.data.intent
  return db.transaction(async (tx) => {
    const isNew = await inbox.record(webhook, (strings, key) => tx.execute(sql(strings, key)))
    if (!isNew) return 'duplicate'
    await tx.insert(payments).values({ intent_id: id, amount })
    return 'handled'
  })
}
// #endregion

const dispatcher = createDispatcher().on('intent.processed', async (webhook) => {
  const { id, status } = webhook.payload.data.intent
  if (status === 'PROCESSED') console.log(`${await book(webhook)}: ${id}`)
})

const webhooks = serviceSignature({
  secret: WEBHOOK_SECRET,
  // Before production, add expect: { account: 'acc_...', live: true, transactionMode: 'unknown' }
  dispatcher,
  onUnhandled: ({ event }) => console.warn('not handled:', event.type),
})

const app = express()
app.post('/webhooks', webhooks)
app.listen(PORT)
