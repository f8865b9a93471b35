import express from 'express'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
pool.on('error', console.error)
const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
const inbox = postgresInbox(pool)
await inbox.migrate()

// #region book
async function book(webhook) {
  return db.transaction().execute(async (trx) => {
    const isNew = await inbox.record(webhook, (strings, key) => sql(strings, key).execute(trx))
    if (!isNew) return 'duplicate'
    await trx.insertInto('bookings').values({ type: webhook.event.type }).execute()
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
