// An endpoint that books each delivery in a transaction of the inbox. Nothing but the inbox prevents a second booking.
import { serviceSignature } from '@service-signature/express'
import { postgresInbox } from '@service-signature/postgres'
import express from 'express'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 8 })
pool.on('error', () => {
  // An idle connection was lost. The pool makes another one.
})
const inbox = postgresInbox(pool)

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env['SECRET']! }), async (req, res) => {
  const webhook = req.webhook!
  const { id } = webhook.event.payload as { id: string }
  await inbox.handle(webhook, async (client) => {
    const booking = randomUUID()
    await client.query('INSERT INTO bookings (delivery, booking) VALUES ($1, $2)', [id, booking])
    process.send!({ kind: 'booked', booking, pid: process.pid })
    await setTimeout(Math.random() * 20)
  })
  res.sendStatus(204)
})
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
// The drill has ended, or was ended.
process.once('disconnect', () => process.exit())
process.send!((server.address() as AddressInfo).port)
