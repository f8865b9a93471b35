import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { verifySignatureSync } from '@service-signature/core'
import { postgresInbox } from '@service-signature/postgres'
import { bundle } from '../../test/drills/bundle.js'
import { eventOf } from '../events.js'
import { atLeast, round } from '../report.js'
import { inTurns, median } from '../rounds.js'
import { SECRET, v3Header } from '../signing.js'

const CLIENTS = 4
const BOUND = 0.65
const BOOK = 'INSERT INTO bookings (delivery) VALUES ($1)'

/** `inbox.handle` over `pg` with a handler that inserts a row, against the same by hand. Each delivery is another one. */
export async function inbox({ loadRounds, loadSeconds }) {
  const { file, remove } = await bundle('../../test/contract/src/postgres-server.ts')
  const { startPostgres } = await import(file)
  await remove()
  // Without fsync, so that round trips are measured and not the disk.
  const server = await startPostgres({ fsync: 'off', shared_buffers: '256MB' })
  const far = new Worker(new URL('far-database.js', import.meta.url), { workerData: { port: server.port } })
  try {
    const [farPort] = await once(far, 'message')
    const ports = { loopback: server.port, '1 ms away': farPort }
    const rows = []
    for (const [distance, port] of Object.entries(ports)) {
      const pool = new pg.Pool({
        host: '127.0.0.1',
        port,
        user: 'postgres',
        database: 'postgres',
        max: CLIENTS,
      })
      try {
        rows.push(await rowOf(distance, await contestantsOf(pool), loadRounds, loadSeconds))
      } finally {
        await pool.end()
      }
    }
    return [{ title: 'inbox', rows }]
  } finally {
    await far.terminate()
    await server.stop()
  }
}

async function contestantsOf(pool) {
  await pool.query('CREATE TABLE IF NOT EXISTS keys (key text PRIMARY KEY, handled_at timestamptz)')
  await pool.query('CREATE TABLE IF NOT EXISTS bookings (delivery text)')
  const ours = postgresInbox(pool)
  await ours.migrate()
  const byHand = 'INSERT INTO keys VALUES ($1, now()) ON CONFLICT DO NOTHING'
  return {
    inbox: (webhook, id) => ours.handle(webhook, (client) => client.query(BOOK, [id])),
    'key by hand': (_webhook, id) =>
      inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(byHand, [id])
        if (rowCount === 1) await client.query(BOOK, [id])
      }),
    'no key': (_webhook, id) => inTransaction(pool, (client) => client.query(BOOK, [id])),
  }
}

async function inTransaction(pool, run) {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await run(client)
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

async function rowOf(distance, contestants, rounds, seconds) {
  for (const handle of Object.values(contestants)) await load(handle, seconds / 4)
  const results = await inTurns(contestants, rounds, (handle) => load(handle, seconds))
  const of = (name, column) => median(results[name].map((result) => result[column]))
  const throughput = (name) => of('inbox', 'perSecond') / of(name, 'perSecond')
  const [near, far] = [throughput('key by hand'), throughput('no key')]
  return {
    database: distance,
    'inbox per second': round(of('inbox', 'perSecond')),
    'p50 ms': round(of('inbox', 'p50')),
    'key by hand p50 ms': round(of('key by hand', 'p50')),
    'no key p50 ms': round(of('no key', 'p50')),
    'throughput / key by hand': distance === 'loopback' ? atLeast(near, BOUND) : round(near),
    'throughput / no key': distance === 'loopback' ? round(far) : atLeast(far, BOUND),
  }
}

/** As many deliveries at once as the pool has connections. */
async function load(handle, seconds) {
  const { body } = eventOf('transaction', 1_500)
  const proof = verifySignatureSync(body, v3Header(body), { secret: SECRET })
  const times = []
  const start = performance.now()
  const client = async () => {
    for (let now = performance.now(); now < start + seconds * 1000; now = performance.now()) {
      const id = randomUUID()
      await handle({ ...proof, rawBody: Buffer.concat([body, Buffer.from(id)]) }, id)
      times.push(performance.now() - now)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { perSecond: times.length / ((performance.now() - start) / 1000), p50: median(times) }
}
