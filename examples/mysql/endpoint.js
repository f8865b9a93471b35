// A complete endpoint: it logs what it refuses, deletes old keys once a day, and ends what it began when it is stopped.
import express from 'express'
import mysql from 'mysql2/promise'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { mysqlInbox } from '@service-signature/mysql'

const pool = mysql.createPool({ uri: process.env.MYSQL_URL, connectionLimit: 10, connectTimeout: 3000 })
const inbox = mysqlInbox(pool, { table: 'webhook_inbox' })
await inbox.migrate()

const dispatcher = createDispatcher().on('transaction.purchase.successful', async (webhook) => {
  const { id, amount } = webhook.payload.intent
  const { outcome } = await inbox.handle(webhook, async (connection) => {
    await connection.execute('INSERT INTO payments (intent_id, amount) VALUES (?, ?)', [id, amount.value])
    await connection.execute('UPDATE balances SET total = total + ?', [amount.value])
  })
  console.log(`${outcome}: ${id}`)
})

const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  dispatcher,
  onUnhandled: ({ event }) => {
    console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
  },
  onRejected: (error, { request }) => console.warn(request.socket.remoteAddress, error.code, error.message),
})

const pruning = setInterval(() => inbox.prune().catch(console.error), 86_400_000)
const app = express()
app.post('/webhooks', webhooks)
const server = app.listen(process.env.PORT ?? 3000)

process.once('SIGTERM', () => {
  clearInterval(pruning)
  server.close(() => pool.end())
})
