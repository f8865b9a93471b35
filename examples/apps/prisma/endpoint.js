import { PrismaPg } from '@prisma/adapter-pg'
import express from 'express'
import pg from 'pg'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'
// Written by: npx prisma generate --schema schema.prisma
import { PrismaClient } from './generated/index.js'

const { DATABASE_URL: connectionString, PORT = 3000, WEBHOOK_SECRET } = process.env
if (!connectionString || !WEBHOOK_SECRET) throw new Error('Set DATABASE_URL and WEBHOOK_SECRET')

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) })
const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 3000 })
const inbox = postgresInbox(pool)
await inbox.migrate()

// #region book
async function book(webhook) {
  const { id, amount } = webhook.payload.data.intent
  return prisma.$transaction(async (tx) => {
    const isNew = await inbox.record(webhook, (strings, key) => tx.$queryRaw(strings, key))
    if (!isNew) return 'duplicate'
    await tx.payment.create({ data: { intentId: id, amount } })
    return 'handled'
  })
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
