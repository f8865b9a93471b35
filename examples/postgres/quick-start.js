import express from 'express'
import pg from 'pg'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const { DATABASE_URL, PORT = 3000, WEBHOOK_SECRET } = process.env
if (!DATABASE_URL || !WEBHOOK_SECRET) throw new Error('Set DATABASE_URL and WEBHOOK_SECRET')

const pool = new pg.Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 3000 })

const inbox = postgresInbox(pool)
await inbox.migrate()

const dispatcher = createDispatcher().on('intent.processed', async (webhook) => {
  const { id, status, amount } = webhook.payload.data.intent
  if (status !== 'PROCESSED') return
  const { outcome } = await inbox.handle(webhook, (client) =>
    client.query('INSERT INTO payments (intent_id, amount) VALUES ($1, $2)', [id, amount]),
  )
  console.log(`${outcome}: ${id}`)
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
