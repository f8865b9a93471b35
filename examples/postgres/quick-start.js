import express from 'express'
import pg from 'pg'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 3000 })
pool.on('error', console.error)

const inbox = postgresInbox(pool)
await inbox.migrate()

const dispatcher = createDispatcher().on('transaction.purchase.successful', async (webhook) => {
  const { id, amount } = webhook.payload.intent
  const { outcome } = await inbox.handle(webhook, (client) =>
    client.query('INSERT INTO payments (intent_id, amount) VALUES ($1, $2)', [id, amount.value]),
  )
  console.log(`${outcome}: ${id}`)
})

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET, dispatcher }))
app.listen(process.env.PORT ?? 3000)
