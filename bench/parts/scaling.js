import autocannon from 'autocannon'
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../tools/drill/bundle.js'
import { eventOf } from '../events.js'
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
const CLOCK_TICK_US = 10_000

/** An Express endpoint in one to eight processes, over real servers. Each delivery is another one, so none is a duplicate. */
export async function scaling({ loadRounds, loadSeconds }) {
  const servers = await startServers()
  const results = {}
  try {
    for (const processes of PROCESSES) {
      const stores = Object.fromEntries(STORES.map((store) => [store, store]))
      results[processes] = await inTurns(stores, loadRounds, (store, _name, turn) => {
        console.error(`scaling: ${processes} processes, ${NAMES[store]}, round ${turn + 1} of ${loadRounds}`)
        return measure(store, processes, servers, loadSeconds)
      })
    }
  } finally {
    await servers.stop()
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
    'server CPU us each': round(of(store, 'serverUs')),
  }
}

/** One round: new processes, a warm-up, and a load. */
async function measure(store, processes, servers, seconds) {
  const endpoints = await Promise.all(
    Array.from({ length: processes }, () => startEndpoint(store, servers.urls)),
  )
  try {
    await load(endpoints, servers, seconds)
    return await load(endpoints, servers, seconds)
  } finally {
    await Promise.all(endpoints.map((endpoint) => endpoint.stop()))
  }
}

async function load(endpoints, servers, seconds) {
  const template = eventOf('transaction', 1_500).body.toString()
  const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(template)
  const latencies = []
  const before = await cpuTimes(endpoints, servers)
  const run = autocannon({
    url: endpoints.map(({ url }) => url),
    connections: Math.max(CONNECTIONS, endpoints.length),
    duration: seconds,
    requests: [
      {
        method: 'POST',
        setupRequest(request) {
          const body = Buffer.from(template.replace(id, randomUUID()))
          const headers = { 'Content-Type': 'application/json', 'Service-Signature': v3Header(body) }
          return { ...request, body, headers }
        },
      },
    ],
  })
  run.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds))
  const result = await run
  const after = await cpuTimes(endpoints, servers)

  const answered = result['2xx']
  if (answered === 0 || result.non2xx > 0 || result.errors > 0) {
    throw new Error(`under load: ${answered} accepted, ${result.non2xx} refused, ${result.errors} failed`)
  }
  latencies.sort((a, b) => a - b)
  const share = (part) => latencies[Math.floor(latencies.length * part)]
  return {
    perSecond: answered / result.duration,
    p50: share(0.5),
    p99: share(0.99),
    cpuUs: (after.endpoints - before.endpoints) / answered,
    serverUs: (after.servers - before.servers) / answered,
  }
}

async function cpuTimes(endpoints, servers) {
  const each = await Promise.all(endpoints.map((endpoint) => endpoint.cpuTime()))
  return { endpoints: each.reduce((sum, time) => sum + time, 0), servers: servers.cpuTime() }
}

async function startEndpoint(store, urls) {
  const program = fileURLToPath(new URL('scaling-endpoint.js', import.meta.url))
  const child = fork(program, [store], { env: { ...process.env, ...urls } })
  const answer = async () => (await once(child, 'message', { signal: AbortSignal.timeout(20_000) }))[0]
  const { port } = await answer()
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    async cpuTime() {
      child.send('cpu')
      return (await answer()).cpu
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** A Redis and a PostgreSQL of the bench's own. */
async function startServers() {
  const { file, remove } = await bundle('servers.ts')
  const { startPostgres, startRedis } = await import(file)
  await remove()
  const redis = await startRedis()
  const postgres = await startPostgres({ fsync: 'on', shared_buffers: '256MB' })
  const pids = processes()
    .filter(({ parent }) => parent === process.pid)
    .map(({ pid }) => pid)
  return {
    urls: { REDIS_URL: redis.url, DATABASE_URL: postgres.url },
    cpuTime: () => cpuTimeOf(pids),
    async stop() {
      await redis.stop()
      await postgres.stop()
    },
  }
}

/** The CPU time of these processes and of their children, in microseconds, as Linux counts it. */
function cpuTimeOf(pids) {
  return processes()
    .filter(({ pid, parent }) => pids.includes(pid) || pids.includes(parent))
    .reduce((sum, { ticks }) => sum + ticks * CLOCK_TICK_US, 0)
}

function processes() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(statOf).filter((stat) => stat !== undefined)
}

function statOf(pid) {
  try {
    const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [, parent, ...rest] = fields.split(' ')
    return { pid: Number(pid), parent: Number(parent), ticks: Number(rest[9]) + Number(rest[10]) }
  } catch {
    // The process has ended in between.
    return undefined
  }
}
