// Kills a master of a Redis cluster while deliveries arrive, and checks that nothing is lost and that each delivery that
// was handled again has a reason.
import { startRedisCluster, type RedisCluster } from '@service-signature/contract/redis-cluster'
import { askRedis } from '@service-signature/contract/redis-process'
import { setTimeout } from 'node:timers/promises'
import type { bundle } from './bundle.js'
import { Endpoints } from './endpoints.js'
import { Handlings, REASONS, type Reasons } from './handlings.js'
import { seeded } from './random.js'
import { SECRET, sendAll, type Sent } from './sender.js'

const CLIENTS = ['redis', 'ioredis', 'iovalkey']

const DEFAULTS = {
  deliveries: 3000,
  /** How many deliveries are begun in a second. */
  rate: 300,
  /** Each delivery is sent at most this many times at once. */
  copies: 4,
  seed: 1,
  leaseSeconds: 3,
  /** How long before its death the master cannot send to its replica. 0 is a replica without delay. */
  lagMilliseconds: 0,
}

export interface FailoverResult {
  readonly sent: Sent
  readonly storeErrors: ReadonlyMap<string, number>
  /** Deliveries that were answered 2xx and never handled. */
  readonly lost: readonly string[]
  /** How many deliveries were handled again, by reason. */
  readonly again: Reasons
  /** From the death of the master until its replica had taken over, in milliseconds. */
  readonly takeover: number
}

/** Runs the drill once in full, prints what happened, and resolves to whether it passed. */
export async function drill(bundler: typeof bundle, options: Partial<typeof DEFAULTS>): Promise<boolean> {
  const { sent, lost, again, takeover, storeErrors } = await runFailover(bundler, options)
  console.log(`Options: ${JSON.stringify({ ...DEFAULTS, ...options })}`)
  console.table({
    'deliveries acknowledged': sent.acknowledged.length,
    'deliveries given up': sent.givenUp.length,
    'acknowledged, but not handled (lost)': lost.length,
    ...Object.fromEntries(
      Object.entries(again).map(([reason, count]) => [REASONS[reason as keyof typeof REASONS], count]),
    ),
    'fail-over took (ms)': takeover,
    'slowest delivery (ms)': sent.slowest,
  })
  console.table(Object.fromEntries([...sent.answers].map(([status, count]) => [`answers ${status}`, count])))
  console.table(Object.fromEntries(storeErrors))
  return sent.givenUp.length === 0 && lost.length === 0 && again.unexplained === 0
}

/** @param bundler makes the program of the endpoints */
export async function runFailover(
  bundler: typeof bundle,
  options: Partial<typeof DEFAULTS> = {},
): Promise<FailoverResult> {
  const { deliveries, rate, copies, seed, leaseSeconds, lagMilliseconds } = { ...DEFAULTS, ...options }
  const random = seeded(seed)
  const handlings = new Handlings()
  const program = await bundler('endpoint.ts')
  const cluster = await startRedisCluster()
  const endpoints = new Endpoints(program.file, (report, pid) => {
    handlings.add(report, pid)
  })
  const env = { STORE: 'cluster', SECRET, PORTS: cluster.ports.join(), LEASE_SECONDS: String(leaseSeconds) }
  try {
    await endpoints.start(CLIENTS.map((CLIENT) => ({ ...env, CLIENT })))
    const master = Math.floor(random() * 3)
    let failover: ReturnType<typeof failOver> | undefined
    const sent = await sendAll({
      ...{ deliveries, rate, copies, random, ports: endpoints.ports },
      onDelivery(index) {
        if (index === Math.floor(deliveries / 3)) failover = failOver(cluster, master, lagMilliseconds)
      },
    })
    const { killedAt, takeover } = await failover!
    const kills = { downAt: [killedAt], killed: endpoints.killed, leaseMilliseconds: leaseSeconds * 1000 }
    const handled = new Set(handlings.handled.values())
    return {
      sent,
      takeover,
      lost: sent.acknowledged.filter((id) => !handled.has(id)),
      again: handlings.again(handlings.handled, kills),
      storeErrors: handlings.storeErrors,
    }
  } finally {
    await endpoints.stop()
    await cluster.stop()
    await program.remove()
  }
}

async function failOver(cluster: RedisCluster, master: number, lagMilliseconds: number) {
  const replica = cluster.ports[master + 3]!
  if (lagMilliseconds > 0) {
    // The master asks for no password, and refuses the connection of a replica that sends one.
    await askRedis(replica, 'CONFIG', 'SET', 'masterauth', 'none')
    await askRedis(cluster.ports[master]!, 'CLIENT', 'KILL', 'TYPE', 'replica')
    await setTimeout(lagMilliseconds)
  }
  const killedAt = performance.timeOrigin + performance.now()
  await cluster.killMaster(master)
  await cluster.promoted(replica)
  return { killedAt, takeover: Math.round(performance.timeOrigin + performance.now() - killedAt) }
}
