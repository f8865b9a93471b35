import express from 'express'
import mysql from 'mysql2/promise'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { mysqlInbox } from '@service-signature/mysql'

const pool = mysql.createPool(process.env.MYSQL_URL)
const inbox = mysqlInbox(pool)
await inbox.migrate()

const dispatcher = createDispatcher().on('transaction.purchase.successful', async (webhook) => {
  const { id, amount } = webhook.payload.intent
  const { outcome } = await inbox.handle(webhook, (connection) =>
    connection.execute('INSERT INTO payments (intent_id, amount) VALUES (?, ?)', [id, amount.value]),
  )
  console.log(`${outcome}: ${id}`)
})

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET, dispatcher }))
app.listen(process.env.PORT ?? 3000)
