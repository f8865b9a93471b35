import express from 'express'
import mysql from 'mysql2/promise'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { mysqlInbox } from '@service-signature/mysql'

const { MYSQL_URL, PORT = 3000, WEBHOOK_SECRET } = process.env
if (!MYSQL_URL || !WEBHOOK_SECRET) throw new Error('Set MYSQL_URL and WEBHOOK_SECRET')

const pool = mysql.createPool(MYSQL_URL)
const inbox = mysqlInbox(pool)
await inbox.migrate()

const dispatcher = createDispatcher().on('intent.processed', async (webhook) => {
  const { id, status, amount } = webhook.payload.data.intent
  if (status !== 'PROCESSED') return
  const { outcome } = await inbox.handle(webhook, (connection) =>
    connection.execute('INSERT INTO payments (intent_id, amount) VALUES (?, ?)', [id, amount]),
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
