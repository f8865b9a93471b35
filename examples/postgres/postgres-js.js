import express from 'express'
import postgres from 'postgres'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const { DATABASE_URL, PORT = 3000, WEBHOOK_SECRET } = process.env
if (!DATABASE_URL || !WEBHOOK_SECRET) throw new Error('Set DATABASE_URL and WEBHOOK_SECRET')

const sql = postgres(DATABASE_URL, {
  // With the default, true, a connection that is lost while it connects ends the process.
  fetch_types: false,
  // In milliseconds: postgres.js does not close a connection that no longer answers, so the server frees the key of its delivery.
  connection: { idle_in_transaction_session_timeout: 60_000 },
})
const inbox = postgresInbox(sql)
await inbox.migrate()

// #region book
async function book(webhook) {
  const { id, amount } = webhook.payload.data.intent
  const { outcome } = await inbox.handle(
    webhook,
    (tx) => tx`INSERT INTO payments (intent_id, amount) VALUES (${id}, ${amount})`,
  )
  return outcome
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
