// Kills processes of an endpoint, and the server of its database, while deliveries arrive. Each must be booked exactly once.
import { setTimeout } from 'node:timers/promises'
import { database } from '#database'
import type { bundle } from './bundle.js'
import type { DrillDatabase, StartedDatabase } from './databases/database.js'
import { Endpoints, type Env } from './endpoints.js'
import type { Report } from './handlings.js'
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

/** Runs the drill over the database that was chosen, prints what happened, and resolves to whether every promise was kept. */
export async function drill(bundler: typeof bundle, given: Partial<Options>): Promise<boolean> {
  console.log(`Options: ${JSON.stringify({ ...DEFAULTS, ...given })}`)
  const result = await runInbox(bundler, given, database)
  console.log(`Inbox in ${database.name}`)
  console.table(result)
  const broken = [
    'not booked',
    'booked more than once',
    'given up by the sender',
    'processes that ended by themselves',
  ] as const
  return broken.every((promise) => result[promise] === 0)
}

/** The handler books in the transaction of the inbox. */
export async function runInbox(bundler: typeof bundle, given: Partial<Options>, { start }: DrillDatabase) {
  const options = { ...DEFAULTS, ...given }
  const begun = new Map<string, number>()
  const { env, server, read, stop } = await start()
  try {
    const { sent, killed, crashes } = await underKills(bundler, {
      ...{ options, envs: copies({ ...env, STORE: 'inbox' }, options), server, atWork: 'booked' },
      onReport(report, pid) {
        if (report.kind === 'booked') begun.set(report.booking, pid)
      },
    })
    const bookings = await read()
    const rolledBack = [...begun].filter(([booking]) => !bookings.has(booking))
    const killedInside = rolledBack.filter(([, pid]) => killed.has(pid))
    return {
      ...counts(sent, bookings, options),
      'processes killed': killed.size,
      'processes that ended by themselves': crashes,
      'bookings begun in a process that was killed, and rolled back': killedInside.length,
      'other bookings that were rolled back': rolledBack.length - killedInside.length,
    }
  } finally {
    await stop()
  }
}

export interface Run {
  readonly options: Options
  /** The environment of each process of the endpoint. */
  readonly envs: readonly Env[]
  readonly server: StartedDatabase['server']
  /** The report of a process that is working on a delivery. */
  readonly atWork: string
  readonly onReport: (report: Report, pid: number) => void
}

/** Sends all deliveries, and kills processes and the server at moments that the seed gives. */
export async function underKills(bundler: typeof bundle, { options, envs, server, atWork, onReport }: Run) {
  const { deliveries, kills, serverKills, downMilliseconds, seed } = options
  const random = seeded(seed)
  const program = await bundler('endpoint.ts')
  const endpoints = new Endpoints(program.file, onReport)
  const killAt = new Map<number, () => void>()
  let restarted = Promise.resolve()
  const killServer = async ({ kill, restart }: NonNullable<Run['server']>) => {
    await kill()
    await setTimeout(downMilliseconds)
    await restart()
    // Kills that were late must leave it time for work.
    await setTimeout(downMilliseconds)
  }
  for (let count = 1; count <= kills; count++) {
    const victim = Math.floor(random() * envs.length)
    killAt.set(Math.floor(random() * deliveries), () => {
      endpoints.kill(victim, count % 2 === 0 ? atWork : undefined)
    })
  }
  for (let count = 1; server !== undefined && count <= serverKills; count++) {
    killAt.set(Math.floor((deliveries * count) / (serverKills + 1)), () => {
      // A slow machine may still start it.
      restarted = restarted.then(() => killServer(server))
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
    return { sent, killed: endpoints.killed, crashes: endpoints.crashes }
  } finally {
    await endpoints.stop()
    await program.remove()
  }
}

/** The same environment for each process. */
export function copies(env: Env, { processes }: Options): readonly Env[] {
  return Array.from({ length: processes }, () => env)
}

/** @param bookings the delivery of each booking */
export function counts(sent: Sent, bookings: ReadonlyMap<string, string>, { deliveries }: Options) {
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
