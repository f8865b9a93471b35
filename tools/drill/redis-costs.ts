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
  console.log('Bytes of memory for each key:')
  console.table(await memory(keys))
  console.log('Milliseconds for the claim and the commit of one delivery:')
  console.table(await times(deliveries))
  console.log('Commands and bytes for each delivery:')
  console.table(await traffic(deliveries))
  console.log('Milliseconds for one commit, without and with WAIT for a replica:')
  console.table(await waiting(deliveries))
  return true
}

async function memory(count: number) {
  const server = await startRedis()
  const client = new Redis(server.port, { enableAutoPipelining: true })
  const store = redisReplayStore(client)
  const used = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))![1])
  const fill = async (what: string, isDone: boolean) => {
    const before = await used()
    for (let index = 0; index < count; index += 1000) {
      const batch = Array.from({ length: 1000 }, (_, offset) => keyOf(`${what} ${index + offset}`))
      await Promise.all(
        batch.map(async (key) => {
          const { token } = await store.claim(key)
          if (isDone) await store.commit(key, token)
        }),
      )
    }
    return Math.round(((await used()) - before) / count)
  }
  const done = await fill('done', true)
  await client.flushall()
  const claimed = await fill('claimed', false)
  client.disconnect()
  await server.stop()
  return { done, claimed }
}

async function times(count: number) {
  const server = await startRedis()
  const cluster = await startRedisCluster()
  const rootNodes = cluster.ports.map((port) => ({ url: `redis://127.0.0.1:${port}` }))
  const clients = {
    'one server, redis': await createClient({ url: server.url }).connect(),
    'one server, ioredis': new Redis(server.port),
    'cluster, redis': await createCluster({ rootNodes }).connect(),
    'cluster, ioredis': new Cluster(cluster.ports.map((port) => ({ host: '127.0.0.1', port }))),
  } satisfies Record<string, RedisClient>
  const rows: Record<string, Quantiles> = {}
  for (const [name, client] of Object.entries(clients)) {
    const store = redisReplayStore(client)
    await measure(count / 5, (index) => handle(store, `warm-up ${index}`))
    rows[name] = await measure(count, (index) => handle(store, String(index)))
    if ('destroy' in client) client.destroy()
    else client.disconnect()
  }
  await server.stop()
  await cluster.stop()
  return rows
}

async function traffic(count: number) {
  const server = await startRedis()
  const admin = new Redis(server.port)
  const client = new Redis(server.port)
  const store = redisReplayStore(client)
  await handle(store, 'first')
  const before = await totals(admin)
  for (let index = 0; index < count; index++) await handle(store, String(index))
  const after = await totals(admin)
  admin.disconnect()
  client.disconnect()
  await server.stop()
  const each = (name: keyof typeof after) => Math.round((after[name] - before[name]) / count)
  return { commands: each('commands'), 'bytes to Redis': each('input'), 'bytes from Redis': each('output') }
}

async function totals(admin: Redis) {
  const stats = await admin.info('stats')
  const commands = await admin.info('commandstats')
  const number = (text: string, name: string) => Number(new RegExp(`${name}[:=](\\d+)`).exec(text)![1])
  return {
    commands: number(commands, 'cmdstat_eval:calls'),
    input: number(stats, 'total_net_input_bytes'),
    output: number(stats, 'total_net_output_bytes'),
  }
}

/** A commit, then WAIT on the same connection. Of a cluster only one master with its replica is used. */
async function waiting(count: number) {
  const cluster = await startRedisCluster()
  const client = new Redis(cluster.ports[0]!)
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
  await cluster.stop()
  return { 'without WAIT': without, 'with WAIT 1 100': withWait }
}

async function handle(store: RedisReplayStore, name: string): Promise<void> {
  const key = keyOf(name)
  await store.commit(key, (await store.claim(key)).token)
}

interface Quantiles {
  readonly median: number
  readonly p99: number
}

async function measure(count: number, step: (index: number) => Promise<unknown>): Promise<Quantiles> {
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

/** A key as deliveries have it: 64 hex digits. */
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
