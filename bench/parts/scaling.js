import { randomUUID } from 'node:crypto'
import { bundle } from '../../tools/drill/bundle.js'
import { eventOf } from '../events.js'
import { load, startServer } from '../load.js'
import { round } from '../report.js'
import { inTurns, median } from '../rounds.js'
import { v3Header } from '../signing.js'

const PROCESSES = [1, 2, 4, 8]
/** The stores of the deliveries, and the work of the handler. */
const STORES = ['none', 'memory', 'redis', 'postgres', 'insert', 'inbox']
const NAMES = {
  none: 'no store',
  memory: 'memory',
  redis: 'Redis',
  postgres: 'Postgres as the store',
  insert: 'no store, the handler inserts a row',
  inbox: 'inbox, the handler inserts a row',
}
/** The baseline of each: the same endpoint without it. */
const WITHOUT = { memory: 'none', redis: 'none', postgres: 'none', inbox: 'insert' }
const CONNECTIONS = 32
const TEMPLATE = eventOf('transaction', 1_500).body.toString()
const [ID] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(TEMPLATE)

/** An Express endpoint in one to eight processes, over real servers. Each delivery is another one, so none is a duplicate. */
export async function scaling({ loadRounds, loadSeconds }) {
  const databases = await startDatabases()
  const results = {}
  try {
    for (const processes of PROCESSES) {
      const stores = Object.fromEntries(STORES.map((store) => [store, store]))
      results[processes] = await inTurns(stores, loadRounds, (store, _name, turn) => {
        console.error(`scaling: ${processes} processes, ${NAMES[store]}, round ${turn + 1} of ${loadRounds}`)
        return measure(store, processes, databases, loadSeconds)
      })
    }
  } finally {
    await databases.stop()
  }
  const rows = PROCESSES.flatMap((processes) => STORES.map((store) => rowOf(store, processes, results)))
  return [{ title: 'scaling', rows }]
}

function rowOf(store, processes, results) {
  const of = (name, column) => median(results[processes][name].map((result) => result[column]))
  const without = WITHOUT[store]
  const over = (column) => (without === undefined ? '-' : round(of(store, column) - of(without, column)))
  return {
    endpoint: NAMES[store],
    processes,
    'deliveries per second': round(of(store, 'perSecond')),
    'p50 ms': round(of(store, 'p50')),
    'p99 ms': round(of(store, 'p99')),
    'endpoint CPU us each': round(of(store, 'cpuUs')),
    'over the same without it': over('cpuUs'),
  }
}

/** One round: new processes, a warm-up, and a load. */
async function measure(store, processes, databases, duration) {
  const env = { ...process.env, ...databases.urls }
  const endpoints = await Promise.all(
    Array.from({ length: processes }, () => startServer('scaling-endpoint.js', [store], env)),
  )
  try {
    const options = { connections: CONNECTIONS, duration, requests: [{ method: 'POST', setupRequest }] }
    await load(endpoints, options)
    return await load(endpoints, options)
  } finally {
    await Promise.all(endpoints.map((endpoint) => endpoint.stop()))
  }
}

function setupRequest(request) {
  const body = Buffer.from(TEMPLATE.replace(ID, randomUUID()))
  const headers = { 'Content-Type': 'application/json', 'Service-Signature': v3Header(body) }
  return { ...request, body, headers }
}

/** A Redis and a PostgreSQL of the bench's own. */
async function startDatabases() {
  const { file, remove } = await bundle('servers.ts')
  const { startPostgres, startRedis } = await import(file)
  await remove()
  const redis = await startRedis()
  const postgres = await startPostgres({ fsync: 'on', shared_buffers: '256MB' })
  return {
    urls: { REDIS_URL: redis.url, DATABASE_URL: postgres.url },
    async stop() {
      await redis.stop()
      await postgres.stop()
    },
  }
}
