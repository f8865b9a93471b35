// Kills processes of an endpoint that books in PostgreSQL, and the Redis that remembers what they handled, half of them over
// `redis` and half over `ioredis`. No delivery may be lost, each that is booked again has a reason, and no process ends by itself.
import { startPostgres } from '@service-signature/contract/postgres-server'
import { startRedis } from '@service-signature/contract/redis-server'
import type { bundle } from './bundle.js'
import { BOOKINGS, bookingsIn, connect } from './databases/postgres.js'
import { Handlings, REASONS } from './handlings.js'
import { copies, counts, DEFAULTS, underKills, type Options } from './kills.js'

/** Runs the drill, prints what happened, and resolves to whether every promise was kept. */
export async function drill(bundler: typeof bundle, given: Partial<Options>): Promise<boolean> {
  const options = { ...DEFAULTS, ...given }
  console.log(`Options: ${JSON.stringify(options)}`)
  const postgres = await startPostgres()
  const redis = await startRedis({ settings: { appendonly: 'yes', appendfsync: 'everysec' } })
  const handlings = new Handlings()
  const downAt: number[] = []
  const server = {
    kill() {
      downAt.push(performance.timeOrigin + performance.now())
      return redis.kill()
    },
    restart: redis.restart,
  }
  const pool = connect(postgres.url, 1)
  try {
    await pool.query(BOOKINGS)
    const env = {
      ...{ STORE: 'redis', DATABASE_URL: postgres.url, REDIS_URL: redis.url },
      LEASE_SECONDS: String(options.leaseSeconds),
    }
    const envs = copies(env, options).map((each, index) => ({
      ...each,
      CLIENT: index % 2 === 0 ? 'redis' : 'ioredis',
    }))
    const { sent, killed, crashes } = await underKills(bundler, {
      ...{ options, envs, server, atWork: 'handled' },
      onReport(report, pid) {
        handlings.add(report, pid)
      },
    })
    const bookings = await bookingsIn(pool)
    const leaseMilliseconds = options.leaseSeconds * 1000
    const again = handlings.again(bookings, { downAt, killed, leaseMilliseconds })
    const result = counts(sent, bookings, options)
    console.table({
      ...result,
      'processes killed': killed.size,
      'processes that ended by themselves': crashes,
      ...Object.fromEntries(
        Object.entries(again).map(([reason, count]) => [REASONS[reason as keyof typeof REASONS], count]),
      ),
    })
    return result['not booked'] + result['given up by the sender'] + again.unexplained + crashes === 0
  } finally {
    await pool.end()
    await redis.stop()
    await postgres.stop()
  }
}
