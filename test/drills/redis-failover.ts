// Kills a master of a Redis cluster while deliveries arrive, and checks that nothing is lost and that each delivery that
// was handled again has a reason.
import { startRedisCluster } from '@service-signature/contract/redis-cluster'
import { askRedis } from '@service-signature/contract/redis-process'
import { setTimeout } from 'node:timers/promises'
import type { bundle } from './bundle.js'
import { Handlings, REASONS } from './handlings.js'
import { DEFAULTS as KILLS, underKills } from './kills.js'

const CLIENTS = ['redis', 'ioredis', 'iovalkey']

const DEFAULTS = {
  ...KILLS,
  ...{ deliveries: 3000, rate: 300, kills: 0, serverKills: 1, downMilliseconds: 0 },
  /** How long before its death the master cannot send to its replica. 0 is a replica without delay. */
  lagMilliseconds: 0,
}

/** Runs the drill once in full, prints what happened, and resolves to whether it passed. */
export async function drill(bundler: typeof bundle, given: Partial<typeof DEFAULTS>): Promise<boolean> {
  const { sent, lost, again, takeover } = await runFailover(bundler, given)
  console.log(`Options: ${JSON.stringify({ ...DEFAULTS, ...given })}`)
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
  return sent.givenUp.length === 0 && lost.length === 0 && again.unexplained === 0
}

/** @param bundler makes the program of the endpoints */
export async function runFailover(bundler: typeof bundle, given: Partial<typeof DEFAULTS> = {}) {
  const options = { ...DEFAULTS, ...given }
  const { seed, leaseSeconds, lagMilliseconds } = options
  const handlings = new Handlings()
  const cluster = await startRedisCluster()
  const master = seed % 3
  const replica = cluster.ports[master + 3]!
  const now = () => performance.timeOrigin + performance.now()
  let killedAt = Infinity
  let takeover = Infinity
  const server = {
    async kill() {
      if (lagMilliseconds > 0) {
        // The master asks for no password, and refuses the connection of a replica that sends one.
        await askRedis(replica, 'CONFIG', 'SET', 'masterauth', 'none')
        await askRedis(cluster.ports[master]!, 'CLIENT', 'KILL', 'TYPE', 'replica')
        await setTimeout(lagMilliseconds)
      }
      killedAt = now()
      await cluster.killMaster(master)
    },
    async restart() {
      await cluster.promoted(replica)
      takeover = Math.round(now() - killedAt)
    },
  }
  const env = { STORE: 'cluster', PORTS: cluster.ports.join(), LEASE_SECONDS: String(leaseSeconds) }
  try {
    const { sent, killed } = await underKills(bundler, {
      ...{ options, envs: CLIENTS.map((CLIENT) => ({ ...env, CLIENT })), server, atWork: 'handled' },
      onReport(report, pid) {
        handlings.add(report, pid)
      },
    })
    const kills = { downAt: [killedAt], killed, leaseMilliseconds: leaseSeconds * 1000 }
    const handled = new Set(handlings.handled.values())
    return {
      sent,
      takeover,
      lost: sent.acknowledged.filter((id) => !handled.has(id)),
      again: handlings.again(handlings.handled, kills),
    }
  } finally {
    await cluster.stop()
  }
}
