import { PrismaPg } from '@prisma/adapter-pg'
import express from 'express'
import pg from 'pg'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'
// Written by: npx prisma generate --schema schema.prisma
import { PrismaClient } from './generated/index.js'

const connectionString = process.env.DATABASE_URL
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) })
const pool = new pg.Pool({ connectionString })
pool.on('error', console.error)
const inbox = postgresInbox(pool)
await inbox.migrate()

// #region book
async function book(webhook) {
  return prisma.$transaction(async (tx) => {
    const isNew = await inbox.record(webhook, (strings, key) => tx.$queryRaw(strings, key))
    if (!isNew) return 'duplicate'
    await tx.booking.create({ data: { type: webhook.event.type } })
    return 'handled'
  })
}
// #endregion

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), async (req, res) => {
  const { webhook } = req
  const outcome = await book(webhook)
  console.log(`${outcome}: ${webhook.event.type}`)
  res.sendStatus(204)
})
app.listen(process.env.PORT ?? 3000)
