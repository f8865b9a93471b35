// An endpoint with a Redis besides the database in which it books: a delivery may be booked again.
import { redisReplayStore } from '@service-signature/redis'
import pg from 'pg'
import { createClient } from 'redis'
import { runEndpoint } from './endpoint.js'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 8 })
const client = createClient({
  url: process.env['REDIS_URL']!,
  disableOfflineQueue: true,
  pingInterval: 1000,
  socket: { socketTimeout: 3000, reconnectStrategy: (retries) => Math.min(retries * 100, 1000) },
})
client.on('error', () => {
  // The reports contain the failed steps.
})
await client.connect()
const store = redisReplayStore(client, { leaseSeconds: Number(process.env['LEASE_SECONDS']) })
await runEndpoint(store, async (id, token) => {
  const values = [id, token, process.pid]
  await pool.query('INSERT INTO bookings (delivery, booking, pid) VALUES ($1, $2, $3)', values)
})
