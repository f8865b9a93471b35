// One of the processes of an endpoint: `node scaling-endpoint.js <store>`.
import { serviceSignature } from '@service-signature/express'
import { memoryReplayStore } from '@service-signature/core'
import { postgresInbox } from '@service-signature/postgres'
import { redisReplayStore } from '@service-signature/redis'
import express from 'express'
import { createServer } from 'node:http'
import pg from 'pg'
import { createClient } from 'redis'
import { SECRET } from '../signing.js'
import { listening, serving } from './serving.js'

const [store] = process.argv.slice(2)
const { REDIS_URL, DATABASE_URL } = process.env
// Few, since with one delivery at a time on each connection more would wait for a core of the database.
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 })
const INSERT = 'INSERT INTO bookings (delivery) VALUES ($1)'

const STORES = {
  none: () => ({}),
  memory: () => ({ replay: memoryReplayStore({ maxEntries: 1_000_000 }) }),
  redis: async () => ({ replay: redisReplayStore(await createClient({ url: REDIS_URL }).connect()) }),
  postgres: async () => ({ replay: await inboxOf(pool) }),
  insert: () => ({ handle: ({ event }) => pool.query(INSERT, [event.payload.transaction.id]) }),
  async inbox() {
    const inbox = await inboxOf(pool)
    const book =
      ({ event }) =>
      (client) =>
        client.query(INSERT, [event.payload.transaction.id])
    return { handle: (webhook) => inbox.handle(webhook, book(webhook)) }
  },
}

async function inboxOf(connections) {
  const inbox = postgresInbox(connections)
  await inbox.migrate()
  return inbox
}

await pool.query('CREATE TABLE IF NOT EXISTS bookings (delivery text)').catch(() => undefined)
const { replay, handle = () => undefined } = await STORES[store]()
const app = express()
app.post('/webhooks', serviceSignature({ secret: SECRET, ...(replay && { replay }) }), async (req, res) => {
  await handle(req.webhook)
  res.sendStatus(204)
})
serving(await listening(createServer(app)))
