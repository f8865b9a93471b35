// Kills a Redis while an endpoint handles deliveries: a master of a cluster (redis), or the one server, and processes of the
// endpoint, which books in PostgreSQL (redis --server 1). No delivery may be lost, each that is handled again has a reason, and
// no process ends by itself.
import { startPostgres } from '@service-signature/contract/postgres-server'
import { startRedisCluster } from '@service-signature/contract/redis-cluster'
import { askRedis } from '@service-signature/contract/redis-process'
import { startRedis } from '@service-signature/contract/redis-server'
import { setTimeout } from 'node:timers/promises'
import type { bundle } from './bundle.js'
import { BOOKINGS, bookingsIn, connect } from './databases/postgres.js'
import { Handlings, REASONS, type Reasons } from './handlings.js'
import { copies, counts, DEFAULTS, underKills, type Run } from './kills.js'

const OF_CLUSTER = {
  ...{ deliveries: 3000, rate: 300, kills: 0, serverKills: 1, downMilliseconds: 0 },
  /** How long before its death the master cannot send to its replica. 0 is a replica without delay. */
  lagMilliseconds: 0,
}
/** It calls `goesDown` when it is killed. */
type KilledServer = (goesDown: () => void) => NonNullable<Run['server']>
type Options = typeof DEFAULTS & typeof OF_CLUSTER

/** Runs the drill, prints what happened, and resolves to whether every promise was kept. */
export async function drill(
  bundler: typeof bundle,
  { server, ...given }: Partial<Options> & { readonly server?: number },
): Promise<boolean> {
  const { again, sent, result } = await (server === 1 ? runServer : runFailover)(bundler, given)
  const reasons = Object.entries(again).map(([reason, count]) => [REASONS[reason as keyof Reasons], count])
  console.table({ ...result, ...(Object.fromEntries(reasons) as Record<string, number>) })
  console.table(Object.fromEntries([...sent.answers].map(([status, count]) => [`answers ${status}`, count])))
  const broken =
    result['not booked'] + result['given up by the sender'] + result['processes that ended by themselves']
  return broken + again.unexplained === 0
}

/** Kills the one server, which restarts with what it wrote to the disk. */
async function runServer(bundler: typeof bundle, given: Partial<Options>) {
  const options = { ...DEFAULTS, ...given }
  const postgres = await startPostgres()
  const redis = await startRedis({ settings: { appendonly: 'yes', appendfsync: 'everysec' } })
  const pool = connect(postgres.url, 1)
  try {
    await pool.query(BOOKINGS)
    const env = { STORE: 'redis', DATABASE_URL: postgres.url, REDIS_URL: redis.url }
    const clients = copies(env, options).map((each, index) => ({
      ...each,
      CLIENT: index % 2 ? 'ioredis' : 'redis',
    }))
    const server: KilledServer = (goesDown) => ({
      kill() {
        goesDown()
        return redis.kill()
      },
      restart: redis.restart,
    })
    return await underRedisKills(bundler, options, clients, server, () => bookingsIn(pool))
  } finally {
    await Promise.all([pool.end(), redis.stop()])
    await postgres.stop()
  }
}

/** Kills a master, whose replica takes over. */
export async function runFailover(bundler: typeof bundle, given: Partial<Options> = {}) {
  const options = { ...DEFAULTS, ...OF_CLUSTER, ...given }
  const { seed, lagMilliseconds } = options
  const cluster = await startRedisCluster()
  const master = seed % 3
  const replica = cluster.ports[master + 3]!
  const server: KilledServer = (goesDown) => ({
    async kill() {
      if (lagMilliseconds > 0) {
        // The master asks for no password, and refuses the connection of a replica that sends one.
        await askRedis(replica, 'CONFIG', 'SET', 'masterauth', 'none')
        await askRedis(cluster.ports[master]!, 'CLIENT', 'KILL', 'TYPE', 'replica')
        await setTimeout(lagMilliseconds)
      }
      goesDown()
      await cluster.killMaster(master)
    },
    restart: () => cluster.promoted(replica),
  })
  const env = { STORE: 'cluster', PORTS: cluster.ports.join() }
  const clients = ['redis', 'ioredis', 'iovalkey'].map((CLIENT) => ({ ...env, CLIENT }))
  try {
    return await underRedisKills(bundler, options, clients, server)
  } finally {
    await cluster.stop()
  }
}

/** @param read the delivery of each booking, by the token of its handling; by default, what was handled */
async function underRedisKills(
  bundler: typeof bundle,
  options: typeof DEFAULTS,
  clients: Run['envs'],
  killedServer: KilledServer,
  read?: () => Promise<ReadonlyMap<string, string>>,
) {
  console.log(`Options: ${JSON.stringify(options)}`)
  const handlings = new Handlings()
  const downAt: number[] = []
  const server = killedServer(() => downAt.push(performance.timeOrigin + performance.now()))
  const { sent, killed, crashes } = await underKills(bundler, {
    ...{ options, server, atWork: 'handled' },
    envs: clients.map((env) => ({ ...env, LEASE_SECONDS: String(options.leaseSeconds) })),
    onReport(report, pid) {
      handlings.add(report, pid)
    },
  })
  const bookings = (await read?.()) ?? handlings.handled
  const leaseMilliseconds = options.leaseSeconds * 1000
  const result = {
    ...counts(sent, bookings, options),
    ...{ 'processes killed': killed.size, 'processes that ended by themselves': crashes },
  }
  return { sent, result, again: handlings.again(bookings, { downAt, killed, leaseMilliseconds }) }
}
