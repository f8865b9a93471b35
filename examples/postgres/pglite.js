import { PGlite } from '@electric-sql/pglite'
import express from 'express'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const database = new PGlite()
await database.exec('CREATE TABLE payments (intent_id text PRIMARY KEY, amount numeric)')
const inbox = postgresInbox(database)
await inbox.migrate()

// #region book
async function book(webhook) {
  const { id, amount } = webhook.payload.data.intent
  const { outcome } = await inbox.handle(webhook, (tx) =>
    tx.query('INSERT INTO payments (intent_id, amount) VALUES ($1, $2)', [id, amount]),
  )
  return outcome
}
// #endregion

const dispatcher = createDispatcher().on('intent.processed', async (webhook) => {
  const { id, status } = webhook.payload.data.intent
  if (status === 'PROCESSED') console.log(`${await book(webhook)}: ${id}`)
})

const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  // Before production, add expect: { account: 'acc_...', live: true, transactionMode: 'unknown' }
  dispatcher,
  onUnhandled: ({ event }) => console.warn('not handled:', event.type),
})

const app = express()
app.post('/webhooks', webhooks)
app.listen(process.env.PORT ?? 3000)
