// Kills processes of an endpoint, and the server where it remembers deliveries, while deliveries arrive. With the inbox
// each delivery must be booked exactly once. With Redis none may be lost, and each that is booked again has a reason.
import { startPostgres } from '@service-signature/contract/postgres-server'
import { startRedis } from '@service-signature/contract/redis-server'
import { postgresInbox } from '@service-signature/postgres'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { bundle } from './bundle.js'
import type { Report } from './endpoint.js'
import { Endpoints } from './endpoints.js'
import { Handlings, type Handling } from './handlings.js'
import { seeded } from './random.js'
import { SECRET, sendAll, type Sent } from './sender.js'

const DEFAULTS = {
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

type Options = typeof DEFAULTS

/** A server that can be killed. */
interface Server {
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
}

interface Run {
  readonly options: Options
  readonly endpoints: Endpoints
  readonly server: Server
  /** The report of a process that is working on a delivery. */
  readonly atWork: string
}

/** Runs both parts, prints what happened, and resolves to whether every promise was kept. */
export async function drill(bundler: typeof bundle, given: Partial<Options>): Promise<boolean> {
  const options = { ...DEFAULTS, ...given }
  console.log(`Options: ${JSON.stringify(options)}`)
  const inbox = await runInbox(bundler, given)
  console.log('Inbox in Postgres')
  console.table(inbox)
  const redis = await runRedis(bundler, options)
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
  const program = await bundler('inbox-endpoint.ts')
  const begun = new Map<string, number>()
  const endpoints = new Endpoints(program.file, { SECRET, DATABASE_URL: postgres.url }, (report) => {
    const { booking, pid } = report as unknown as { readonly booking: string; readonly pid: number }
    begun.set(booking, pid)
  })
  try {
    const pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
    await postgresInbox(pool).migrate()
    // Without a unique column: a second booking of a delivery would be a second row.
    await pool.query('CREATE TABLE bookings (delivery text, booking text)')
    await pool.end()

    await endpoints.start(options.processes)
    const sent = await underKills({ options, endpoints, server: postgres, atWork: 'booked' })
    const bookings = await bookingsIn(postgres.url)
    const rolledBack = new Set(begun.keys())
    for (const { booking } of bookings) rolledBack.delete(booking)
    const killedInside = [...rolledBack].filter((booking) => endpoints.killed.has(begun.get(booking)!))
    return {
      ...counts(sent, bookings, options),
      'processes killed': endpoints.killed.size,
      'bookings begun in a process that was killed, and rolled back': killedInside.length,
      'bookings rolled back because the server was killed': rolledBack.size - killedInside.length,
    }
  } finally {
    await endpoints.stop()
    await postgres.stop()
    await program.remove()
  }
}

/** The handler books in Postgres, and Redis remembers the handled deliveries. */
async function runRedis(bundler: typeof bundle, options: Options) {
  const postgres = await startPostgres()
  const redis = await startRedis({ settings: { appendonly: 'yes', appendfsync: 'everysec' } })
  const program = await bundler('booking-endpoint.ts')
  const handlings = new Handlings()
  const downAt: number[] = []
  const env = {
    SECRET,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    LEASE_SECONDS: String(options.leaseSeconds),
  }
  const endpoints = new Endpoints(program.file, env, (report) => {
    handlings.add(report as Report)
  })
  const server = {
    kill() {
      downAt.push(performance.timeOrigin + performance.now())
      return redis.kill()
    },
    restart: redis.restart,
  }
  try {
    const pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
    await pool.query('CREATE TABLE bookings (delivery text, booking text, pid integer)')
    await pool.end()
    await endpoints.start(options.processes)
    const sent = await underKills({ options, endpoints, server, atWork: 'handled' })
    const bookings = await bookingsIn(postgres.url)
    return {
      ...counts(sent, bookings, options),
      'processes killed': endpoints.killed.size,
      ...reasonsOf(bookings, { handlings, killed: endpoints.killed, downAt, options }),
    }
  } finally {
    await endpoints.stop()
    await redis.stop()
    await postgres.stop()
    await program.remove()
  }
}

/** Sends all deliveries, and kills processes and the server at moments that the seed gives. */
async function underKills({ options, endpoints, server, atWork }: Run): Promise<Sent> {
  const { deliveries, processes, kills, serverKills, downMilliseconds, seed } = options
  const random = seeded(seed)
  const killAt = new Map<number, () => void>()
  let restarted = Promise.resolve()
  const killServer = async () => {
    await server.kill()
    await setTimeout(downMilliseconds)
    await server.restart()
  }
  for (let count = 1; count <= kills; count++) {
    const victim = Math.floor(random() * processes)
    killAt.set(Math.floor(random() * deliveries), () => {
      endpoints.kill(victim, count % 2 === 0 ? atWork : undefined)
    })
  }
  for (let count = 1; count <= serverKills; count++) {
    killAt.set(Math.floor((deliveries * count) / (serverKills + 1)), () => {
      restarted = killServer()
    })
  }
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
  return sent
}

interface Booking {
  readonly delivery: string
  /** An id of its own; with Redis the token of the claim. */
  readonly booking: string
  readonly pid?: number
}

async function bookingsIn(url: string): Promise<readonly Booking[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Booking>('SELECT * FROM bookings')
  await client.end()
  return rows
}

function counts(sent: Sent, bookings: readonly Booking[], { deliveries }: Options) {
  const booked = new Map<string, number>()
  for (const { delivery } of bookings) booked.set(delivery, (booked.get(delivery) ?? 0) + 1)
  const isBooked = (id: string) => booked.has(id)
  return {
    deliveries,
    'requests sent': [...sent.answers.values()].reduce((sum, count) => sum + count, 0),
    'given up by the sender': sent.givenUp.length,
    'not booked': deliveries - booked.size,
    'acknowledged, but not booked': sent.acknowledged.filter((id) => !isBooked(id)).length,
    'booked more than once': [...booked.values()].filter((count) => count > 1).length,
    'slowest delivery (ms)': sent.slowest,
  }
}

interface Evidence {
  readonly handlings: Handlings
  readonly killed: ReadonlySet<number>
  /** When Redis was killed. */
  readonly downAt: readonly number[]
  readonly options: Options
}

const REASONS = {
  killed: 'again: its process was killed between the booking and the commit',
  commitFailed: 'again: its commit failed while Redis was down, and its lease ended',
  forgotten: 'again: Redis forgot what it had confirmed before it was killed',
  leaseEnded: 'again: its lease ended before the commit arrived',
  unexplained: 'unexplained',
} as const

/** How often each reason was that of a second booking. */
function reasonsOf(bookings: readonly Booking[], evidence: Evidence) {
  const byDelivery = new Map<string, Booking[]>()
  for (const booking of bookings) {
    byDelivery.set(booking.delivery, [...(byDelivery.get(booking.delivery) ?? []), booking])
  }
  const reasons = Object.fromEntries(Object.values(REASONS).map((reason) => [reason, 0])) as Record<
    (typeof REASONS)[keyof typeof REASONS],
    number
  >
  for (const same of byDelivery.values()) {
    const handled = same
      .map((booking) => ({ booking, handling: evidence.handlings.get(booking.booking) }))
      .sort((a, b) => a.handling.claimedAt - b.handling.claimedAt)
    for (const [index, next] of handled.slice(1).entries()) {
      const previous = handled[index]!
      const isKilled = evidence.killed.has(previous.booking.pid!)
      const reason = REASONS[reasonOf(previous.handling, next.handling, isKilled, evidence)]
      reasons[reason]++
      if (reason === 'unexplained') console.error('Not explained:', previous, next, evidence.downAt)
    }
  }
  return reasons
}

function reasonOf(
  previous: Handling,
  next: Handling,
  isKilled: boolean,
  { downAt, options }: Evidence,
): keyof typeof REASONS {
  const isAcrossKill = downAt.some((time) => previous.askedAt < time && time < next.claimedAt)
  if (previous.isCommitted && previous.endedAt < next.askedAt)
    return isAcrossKill ? 'forgotten' : 'unexplained'
  const isLeaseOver = next.claimedAt - previous.askedAt >= options.leaseSeconds * 1000
  if (!isLeaseOver) return isAcrossKill ? 'forgotten' : 'unexplained'
  if (isKilled && previous.endedAt === Infinity) return 'killed'
  return previous.endedAt < next.askedAt ? 'commitFailed' : 'leaseEnded'
}
