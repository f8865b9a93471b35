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

const dispatcher = createDispatcher().on('intent.processed', async (webhook) => {
  const { id, status, amount } = webhook.payload.data.intent
  if (status !== 'PROCESSED') return
  const { outcome } = await inbox.handle(webhook, () =>
    database.prepare('INSERT INTO payments (intent_id, amount) VALUES (?, ?)').run(id, amount),
  )
  console.log(`${outcome}: ${id}`)
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
