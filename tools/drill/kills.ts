// Kills processes of an endpoint, and the server where it remembers deliveries, while deliveries arrive. With the inbox
// each delivery must be booked exactly once. With Redis none may be lost, and each that is booked again has a reason.
import { startPostgres } from '@service-signature/contract/postgres-server'
import { startRedis } from '@service-signature/contract/redis-server'
import { postgresInbox } from '@service-signature/postgres'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { bundle } from './bundle.js'
import { Endpoints, type Env } from './endpoints.js'
import { Handlings, REASONS, type Report } from './handlings.js'
import { seeded } from './random.js'
import { SECRET, sendAll, type Sent } from './sender.js'

export const DEFAULTS = {
  deliveries: 20_000,
  /** How many deliveries are begun in a second. */
  rate: 150,
  /** Each delivery is sent at most this many times at once. */
  copies: 4,
  processes: 8,
  /** How many processes are killed: every second one while it works on a delivery, the others at any moment. */
  kills: 80,
  /** How often the server is killed, and how long it stays down. */
  serverKills: 2,
  downMilliseconds: 1000,
  leaseSeconds: 3,
  seed: 1,
}

export type Options = typeof DEFAULTS

export interface Run {
  readonly options: Options
  /** The environment of each process of the endpoint. */
  readonly envs: readonly Env[]
  readonly server: { readonly kill: () => Promise<void>; readonly restart: () => Promise<void> }
  /** The report of a process that is working on a delivery. */
  readonly atWork: string
  readonly onReport: (report: Report, pid: number) => void
}

/** Runs both parts, prints what happened, and resolves to whether every promise was kept. */
export async function drill(bundler: typeof bundle, given: Partial<Options>): Promise<boolean> {
  console.log(`Options: ${JSON.stringify({ ...DEFAULTS, ...given })}`)
  const inbox = await runInbox(bundler, given)
  console.log('Inbox in Postgres')
  console.table(inbox)
  const redis = await runRedis(bundler, given)
  console.log('Redis besides the database')
  console.table(redis)
  const isExact = inbox['not booked'] + inbox['booked more than once'] + inbox['given up by the sender'] === 0
  const isComplete = redis['not booked'] + redis['given up by the sender'] + redis.unexplained === 0
  return isExact && isComplete
}

/** The handler books in the transaction of the inbox. */
export async function runInbox(bundler: typeof bundle, given: Partial<Options>) {
  const options = { ...DEFAULTS, ...given }
  const postgres = await startPostgres({ fsync: 'on' })
  const begun = new Map<string, number>()
  try {
    const database = await startBookings(postgres, options)
    await postgresInbox(database.pool).migrate()
    const { sent, killed } = await underKills(bundler, {
      ...{ options, envs: database.envsOf({ STORE: 'inbox' }), server: postgres, atWork: 'booked' },
      onReport(report, pid) {
        if (report.kind === 'booked') begun.set(report.booking, pid)
      },
    })
    const bookings = await database.read()
    const rolledBack = [...begun].filter(([booking]) => !bookings.has(booking))
    const killedInside = rolledBack.filter(([, pid]) => killed.has(pid))
    return {
      ...counts(sent, bookings, options),
      'processes killed': killed.size,
      'bookings begun in a process that was killed, and rolled back': killedInside.length,
      'bookings rolled back because the server was killed': rolledBack.length - killedInside.length,
    }
  } finally {
    await postgres.stop()
  }
}

/** The handler books in Postgres, and Redis remembers the handled deliveries. */
async function runRedis(bundler: typeof bundle, given: Partial<Options>) {
  const options = { ...DEFAULTS, ...given }
  const postgres = await startPostgres()
  const redis = await startRedis({ settings: { appendonly: 'yes', appendfsync: 'everysec' } })
  const handlings = new Handlings()
  const downAt: number[] = []
  const env = { STORE: 'redis', REDIS_URL: redis.url, LEASE_SECONDS: String(options.leaseSeconds) }
  const server = {
    kill() {
      downAt.push(performance.timeOrigin + performance.now())
      return redis.kill()
    },
    restart: redis.restart,
  }
  try {
    const database = await startBookings(postgres, options)
    const { sent, killed } = await underKills(bundler, {
      ...{ options, envs: database.envsOf(env), server, atWork: 'handled' },
      onReport(report, pid) {
        handlings.add(report, pid)
      },
    })
    const bookings = await database.read()
    const again = handlings.again(bookings, {
      downAt,
      killed,
      leaseMilliseconds: options.leaseSeconds * 1000,
    })
    const { unexplained, ...explained } = again
    const named = Object.entries(explained).map(([reason, count]) => [
      REASONS[reason as keyof typeof REASONS],
      count,
    ])
    return {
      ...counts(sent, bookings, options),
      'processes killed': killed.size,
      ...(Object.fromEntries(named) as Record<string, number>),
      unexplained,
    }
  } finally {
    await redis.stop()
    await postgres.stop()
  }
}

/** Sends all deliveries, and kills processes and the server at moments that the seed gives. */
export async function underKills(bundler: typeof bundle, { options, envs, server, atWork, onReport }: Run) {
  const { deliveries, kills, serverKills, downMilliseconds, seed } = options
  const random = seeded(seed)
  const program = await bundler('endpoint.ts')
  const endpoints = new Endpoints(program.file, onReport)
  const killAt = new Map<number, () => void>()
  let restarted = Promise.resolve()
  const killServer = async () => {
    await server.kill()
    await setTimeout(downMilliseconds)
    await server.restart()
  }
  for (let count = 1; count <= kills; count++) {
    const victim = Math.floor(random() * envs.length)
    killAt.set(Math.floor(random() * deliveries), () => {
      endpoints.kill(victim, count % 2 === 0 ? atWork : undefined)
    })
  }
  for (let count = 1; count <= serverKills; count++) {
    killAt.set(Math.floor((deliveries * count) / (serverKills + 1)), () => {
      restarted = killServer()
    })
  }
  try {
    await endpoints.start(envs.map((env) => ({ ...env, SECRET })))
    const sent = await sendAll({
      ...options,
      random,
      ports: endpoints.ports,
      onDelivery(index) {
        killAt.get(index)?.()
        if (index % 1000 === 0) console.error(`${index} of ${deliveries} deliveries begun`)
      },
    })
    await restarted
    return { sent, killed: endpoints.killed }
  } finally {
    await endpoints.stop()
    await program.remove()
  }
}

/** The database in which the processes of the endpoint book. */
async function startBookings(server: { readonly url: string }, { processes }: Options) {
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  pool.on('error', () => undefined)
  // Without a unique column: a second booking of a delivery would be a second row.
  await pool.query('CREATE TABLE bookings (delivery text, booking text)')
  return {
    pool,
    envsOf: (env: Env) => Array.from({ length: processes }, () => ({ ...env, DATABASE_URL: server.url })),

    /** The delivery of each booking. */
    async read() {
      const { rows } = await pool.query<{ delivery: string; booking: string }>('SELECT * FROM bookings')
      await pool.end()
      return new Map(rows.map(({ booking, delivery }) => [booking, delivery]))
    },
  }
}

/** @param bookings the delivery of each booking */
function counts(sent: Sent, bookings: ReadonlyMap<string, string>, { deliveries }: Options) {
  const booked = new Map<string, number>()
  for (const delivery of bookings.values()) booked.set(delivery, (booked.get(delivery) ?? 0) + 1)
  return {
    deliveries,
    'requests sent': [...sent.answers.values()].reduce((sum, count) => sum + count, 0),
    'given up by the sender': sent.givenUp.length,
    'not booked': deliveries - booked.size,
    'acknowledged, but not booked': sent.acknowledged.filter((id) => !booked.has(id)).length,
    'booked more than once': [...booked.values()].filter((count) => count > 1).length,
    'slowest delivery (ms)': sent.slowest,
  }
}
