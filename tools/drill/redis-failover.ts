// Kills a master of a Redis cluster while deliveries arrive, and checks that nothing is lost and that each delivery that
// was handled again has a reason.
import { startRedisCluster, type RedisCluster } from '@service-signature/contract/redis-cluster'
import { askRedis } from '@service-signature/contract/redis-process'
import { setTimeout } from 'node:timers/promises'
import type { bundle } from './bundle.js'
import type { Report } from './endpoint.js'
import { Handlings, reasonOf, REASONS, type Failover } from './handlings.js'
import { startProcess, type DrillProcess } from './processes.js'
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
  readonly again: Readonly<Record<keyof typeof REASONS, number>>
  /** From the death of the master until its replica had taken over, in milliseconds. */
  readonly takeover: number
}

/** Runs the drill once in full, prints what happened, and resolves to whether it passed. */
export async function drill(bundler: typeof bundle, options: Partial<typeof DEFAULTS>): Promise<boolean> {
  const result = await runFailover(bundler, options)
  const { sent, lost, again } = result
  console.log(`Options: ${JSON.stringify({ ...DEFAULTS, ...options })}`)
  console.table({
    'deliveries acknowledged': sent.acknowledged.length,
    'deliveries given up': sent.givenUp.length,
    'acknowledged, but not handled (lost)': lost.length,
    'handled again': Object.values(again).reduce((sum, count) => sum + count, 0),
    ...Object.fromEntries(
      Object.entries(again).map(([reason, count]) => [REASONS[reason as keyof typeof REASONS], count]),
    ),
    'fail-over took (ms)': result.takeover,
    'slowest delivery (ms)': sent.slowest,
  })
  console.table(Object.fromEntries([...sent.answers].map(([status, count]) => [`answers ${status}`, count])))
  console.table(Object.fromEntries(result.storeErrors))
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
  const endpoint = await bundler('redis-endpoint.ts')
  const cluster = await startRedisCluster()
  const endpoints: DrillProcess[] = []
  try {
    for (const CLIENT of CLIENTS) {
      const env = { CLIENT, SECRET, PORTS: cluster.ports.join(','), LEASE_SECONDS: String(leaseSeconds) }
      endpoints.push(
        await startProcess(endpoint.file, env, (message) => {
          handlings.add(message as Report)
        }),
      )
    }
    const master = Math.floor(random() * 3)
    let failover: ReturnType<typeof failOver> | undefined
    const sent = await sendAll({
      deliveries,
      rate,
      copies,
      random,
      ports: endpoints.map(({ first }) => Number(first)),
      onDelivery(index) {
        if (index === Math.floor(deliveries / 3)) failover = failOver(cluster, master, lagMilliseconds)
      },
    })
    const { killedAt, takeover } = await failover!
    return { sent, takeover, ...judge(sent, handlings, { killedAt, leaseMilliseconds: leaseSeconds * 1000 }) }
  } finally {
    await Promise.all(endpoints.map((each) => each.kill()))
    await cluster.stop()
    await endpoint.remove()
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

function judge(sent: Sent, handlings: Handlings, failover: Failover) {
  const byDelivery = handlings.byDelivery()
  const again = { commitLost: 0, claimLost: 0, commitFailed: 0, leaseEnded: 0, unexplained: 0 }
  for (const [id, [first, ...later]] of byDelivery) {
    let previous = first!
    for (const next of later) {
      const reason = reasonOf(previous, next, failover)
      again[reason]++
      if (reason === 'unexplained') console.error(`Not explained: ${id}`, failover, previous, next)
      previous = next
    }
  }
  const lost = sent.acknowledged.filter((id) => !byDelivery.has(id))
  return { lost, again, storeErrors: handlings.storeErrors }
}
