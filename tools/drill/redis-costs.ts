// Measures the costs of the replay store: memory for each key, time and bytes for each delivery, and the time of a
// commit that waits for a replica.
import { startRedisCluster } from '@service-signature/contract/redis-cluster'
import { startRedis } from '@service-signature/contract/redis-server'
import { redisReplayStore, type RedisClient, type RedisReplayStore } from '@service-signature/redis'
import { Cluster, Redis } from 'ioredis'
import { createHash } from 'node:crypto'
import { createClient, createCluster } from 'redis'
import type { bundle } from './bundle.js'

const DEFAULTS = { keys: 100_000, deliveries: 5000 }

export async function drill(_bundler: typeof bundle, options: Partial<typeof DEFAULTS>): Promise<boolean> {
  const { keys, deliveries } = { ...DEFAULTS, ...options }
  const server = await startRedis()
  const cluster = await startRedisCluster()
  console.log('Bytes of memory for each key:')
  console.table(await memory(server.port, keys))
  console.log(
    'For each delivery, milliseconds of its claim and commit, and on one server commands and bytes:',
  )
  const rootNodes = cluster.ports.map((port) => ({ url: `redis://127.0.0.1:${port}` }))
  const nodes = cluster.ports.map((port) => ({ host: '127.0.0.1', port }))
  console.table({
    'one server, redis': await costs(
      await createClient({ url: server.url }).connect(),
      deliveries,
      server.port,
    ),
    'one server, ioredis': await costs(new Redis(server.port), deliveries, server.port),
    'cluster, redis': await costs(await createCluster({ rootNodes }).connect(), deliveries),
    'cluster, ioredis': await costs(new Cluster(nodes), deliveries),
  })
  console.log('Milliseconds for one commit, without and with WAIT for a replica:')
  console.table(await waiting(cluster.ports[0]!, deliveries))
  await server.stop()
  await cluster.stop()
  return true
}

async function memory(port: number, count: number) {
  const client = new Redis(port, { enableAutoPipelining: true })
  const store = redisReplayStore(client)
  const fill = async (isDone: boolean) => {
    const before = await counter(client, 'memory', 'used_memory')
    for (let index = 0; index < count; index += 1000) {
      const claims = Array.from({ length: 1000 }, async (_, offset) => {
        const key = keyOf(String(index + offset))
        const { token } = await store.claim(key)
        if (isDone) await store.commit(key, token)
      })
      await Promise.all(claims)
    }
    const after = await counter(client, 'memory', 'used_memory')
    await client.flushall()
    return Math.round((after - before) / count)
  }
  const result = { done: await fill(true), claimed: await fill(false) }
  client.disconnect()
  return result
}

/** @param port of the only server of the client, whose counters are read */
async function costs(client: RedisClient, count: number, port?: number) {
  const store = redisReplayStore(client)
  const admin = port === undefined ? undefined : new Redis(port)
  const counters = async () => ({
    commands: await counter(admin!, 'commandstats', 'cmdstat_eval:calls'),
    'bytes to Redis': await counter(admin!, 'stats', 'total_net_input_bytes'),
    'bytes from Redis': await counter(admin!, 'stats', 'total_net_output_bytes'),
  })
  const run = `run of ${performance.now()}`
  await measure(count / 5, (index) => handle(store, `${run}, warm-up ${index}`))
  const before = admin && (await counters())
  const times = await measure(count, (index) => handle(store, `${run}, ${index}`))
  const after = admin && (await counters())
  const traffic = Object.entries(after ?? {}).map(([name, total]) => [
    name,
    Math.round((total - before![name as keyof typeof before]) / count),
  ])
  admin?.disconnect()
  const { destroy, disconnect } = client as { destroy?: () => void; disconnect?: () => void }
  ;(destroy ?? disconnect)!.call(client)
  return { ...times, ...(Object.fromEntries(traffic) as Record<string, number>) }
}

/** A commit, then WAIT on the same connection. Of a cluster only one master with its replica is used. */
async function waiting(port: number, count: number) {
  const client = new Redis(port)
  // A tag whose slot the first master has.
  const store = redisReplayStore(client, { prefix: '{b}:' })
  const commit = (index: number) => store.commit(keyOf(String(index)), 'token')
  await measure(count / 5, commit)
  const without = await measure(count, commit)
  const withWait = await measure(count, async (index) => {
    await commit(index + count)
    await client.wait(1, 100)
  })
  client.disconnect()
  return { 'without WAIT': without, 'with WAIT 1 100': withWait }
}

async function handle(store: RedisReplayStore, name: string): Promise<void> {
  const key = keyOf(name)
  await store.commit(key, (await store.claim(key)).token)
}

async function measure(count: number, step: (index: number) => Promise<unknown>) {
  const taken: number[] = []
  for (let index = 0; index < count; index++) {
    const begun = performance.now()
    await step(index)
    taken.push(performance.now() - begun)
  }
  taken.sort((a, b) => a - b)
  const at = (part: number) => Number(taken[Math.floor(count * part)]!.toFixed(3))
  return { median: at(0.5), p99: at(0.99) }
}

/** A number in the answer to INFO. */
async function counter(client: Redis, section: string, name: string): Promise<number> {
  return Number(new RegExp(`${name}[:=](\\d+)`).exec(await client.info(section))![1])
}

/** A key as deliveries have it: 64 hex digits. */
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
