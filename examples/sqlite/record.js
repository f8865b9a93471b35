import Database from 'better-sqlite3'
import express from 'express'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { sqliteInbox } from '@service-signature/sqlite'

const database = new Database('shop.db')
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('CREATE TABLE IF NOT EXISTS payments (intent_id TEXT PRIMARY KEY, amount NUMERIC)')

const inbox = sqliteInbox(database)
await inbox.migrate()

// #region book
async function book(webhook) {
  const { id, amount } = webhook.payload.intent
  const record = await inbox.record(webhook)
  const transaction = database.transaction(() => {
    if (!record()) return 'duplicate'
    database.prepare('INSERT INTO payments (intent_id, amount) VALUES (?, ?)').run(id, amount.value)
    return 'handled'
  })
  return transaction.immediate()
}
// #endregion

const dispatcher = createDispatcher().on('transaction.purchase.successful', async (webhook) => {
  console.log(`${await book(webhook)}: ${webhook.payload.intent.id}`)
})

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET, dispatcher }))
app.listen(process.env.PORT ?? 3000)
