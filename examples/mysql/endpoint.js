// A complete endpoint: it logs what it refuses, deletes old keys once a day, and ends what it began when it is stopped.
// It also needs CREATE TABLE balances (account VARCHAR(255) PRIMARY KEY, total DECIMAL(20, 2) NOT NULL)
import express from 'express'
import mysql from 'mysql2/promise'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { mysqlInbox } from '@service-signature/mysql'

const { MYSQL_URL, PAYMENT_ACCOUNT, PAYMENT_MODE = 'live', PORT = 3000, WEBHOOK_SECRET } = process.env
if (!MYSQL_URL || !PAYMENT_ACCOUNT || !WEBHOOK_SECRET)
  throw new Error('Set MYSQL_URL, PAYMENT_ACCOUNT and WEBHOOK_SECRET')

const pool = mysql.createPool({ uri: MYSQL_URL, connectionLimit: 10, connectTimeout: 3000 })
const inbox = mysqlInbox(pool, { table: 'webhook_inbox' })
await inbox.migrate()

const dispatcher = createDispatcher().on('intent.processed', async (webhook) => {
  const { id, status, amount, account } = webhook.payload.data.intent
  if (status !== 'PROCESSED') return
  const { outcome } = await inbox.handle(webhook, async (connection) => {
    await connection.execute('INSERT INTO payments (intent_id, amount) VALUES (?, ?)', [id, amount])
    await connection.execute(
      'INSERT INTO balances VALUES (?, ?) ON DUPLICATE KEY UPDATE total = total + VALUES(total)',
      [account, amount],
    )
  })
  console.log(`${outcome}: ${id}`)
})

const webhooks = serviceSignature({
  secret: WEBHOOK_SECRET,
  // Only an intent event says its mode, and only that is booked.
  expect: { account: PAYMENT_ACCOUNT, live: PAYMENT_MODE !== 'test', transactionMode: 'unknown' },
  dispatcher,
  onUnhandled: ({ event }) => {
    console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
  },
  onRejected: (error, { request }) => console.warn(request.socket.remoteAddress, error.code, error.message),
})

const pruning = setInterval(() => inbox.prune().catch(console.error), 86_400_000)
const app = express()
app.post('/webhooks', webhooks)
const server = app.listen(PORT)

process.once('SIGTERM', () => {
  clearInterval(pruning)
  server.close(() => pool.end())
})
