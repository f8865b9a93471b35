import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.js'
import { askRedis, runRedis, type RedisProcess, type RedisSettings } from './redis-process.js'

const MASTERS = 3
const SLOTS = 16_384
const STARTED_WITHIN = 30_000

/** Three masters with one replica each, on this machine. */
export interface RedisCluster {
  /** The ports of all nodes: first the three masters as they were at the start, then the replica of each. */
  readonly ports: readonly number[]
  /** Kills the first, second or third master as a power cut does. Resolves to the port of its replica. */
  readonly killMaster: (index: number) => Promise<number>
  /** Resolves when this node is a master and the cluster works. */
  readonly promoted: (port: number) => Promise<void>
  /** Kills all nodes, and removes their folders. */
  readonly stop: () => Promise<void>
}

export interface RedisClusterOptions {
  /** How long a node may be silent before the others count it as down, in milliseconds. Default: 500. */
  readonly nodeTimeout?: number
  /** More settings of redis.conf, for each node. */
  readonly settings?: RedisSettings
}

/**
 * Starts a cluster for a test, which has to stop it.
 *
 * @example
 * const cluster = await startRedisCluster()
 * onTestFinished(cluster.stop)
 */
export async function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'service-signature-redis-'))
  const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, () => startNode(folder, options)))
  const ports = nodes.map(({ port }) => port)
  const stop = async () => {
    await Promise.all(nodes.map(({ running }) => running.kill()))
    await rm(folder, { recursive: true })
  }
  try {
    await form(ports)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    ports,
    async killMaster(index) {
      await nodes[index]!.running.kill()
      return ports[index + MASTERS]!
    },
    promoted: (port) => until(() => isWorkingMaster(port), `the node on port ${port} was not promoted`),
    stop,
  }
}

async function startNode(
  folder: string,
  options: RedisClusterOptions,
): Promise<{ port: number; running: RedisProcess }> {
  const port = await freePort()
  const own = join(folder, String(port))
  await mkdir(own)
  const cluster = {
    'cluster-enabled': 'yes',
    'cluster-announce-ip': '127.0.0.1',
    'cluster-port': await freePort(),
    'cluster-node-timeout': options.nodeTimeout ?? 500,
    // Without this, a replica waits five seconds for others that may want to copy at the same time.
    'repl-diskless-sync-delay': 0,
  }
  const running = await runRedis(port, own, { ...cluster, ...options.settings })
  // Another process may have taken the port in between.
  return running === undefined ? startNode(folder, options) : { port, running }
}

/** Makes one cluster of the nodes, and waits until each replica has the data of its master. */
async function form(ports: readonly number[]): Promise<void> {
  const masters = ports.slice(0, MASTERS)
  const replicas = ports.slice(MASTERS)
  await Promise.all(
    masters.map((port, index) => {
      const [first, end] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / MASTERS))
      return order(port, 'CLUSTER', 'ADDSLOTSRANGE', first!, end! - 1)
    }),
  )
  for (const [index, port] of ports.entries()) await order(port, 'CLUSTER', 'SET-CONFIG-EPOCH', index + 1)
  const busOfFirst = await busPort(ports[0]!)
  for (const port of ports.slice(1)) {
    await order(port, 'CLUSTER', 'MEET', '127.0.0.1', ports[0]!, busOfFirst)
  }
  await until(() => every(ports, (port) => knowsAll(port)), 'the nodes did not meet')

  for (const [index, port] of replicas.entries()) {
    const id = /[0-9a-f]{40}/.exec(await askRedis(masters[index]!, 'CLUSTER', 'MYID'))![0]
    await order(port, 'CLUSTER', 'REPLICATE', id)
  }
  await until(() => every(replicas, isCopying), 'the replicas did not copy their masters')
  await until(() => every(ports, isWorking), 'the cluster did not begin to work')
}

async function order(port: number, ...command: readonly (string | number)[]): Promise<void> {
  const reply = await askRedis(port, ...command)
  if (!reply.startsWith('+OK')) throw new Error(`Redis answered to ${command.join(' ')}: ${reply}`)
}

async function busPort(port: number): Promise<number> {
  return Number(/(\d+)\r\n$/.exec(await askRedis(port, 'CONFIG', 'GET', 'cluster-port'))![1])
}

async function knowsAll(port: number): Promise<boolean> {
  const nodes = await askRedis(port, 'CLUSTER', 'NODES')
  return nodes.match(/ connected/g)?.length === 2 * MASTERS && !nodes.includes('handshake')
}

async function isCopying(port: number): Promise<boolean> {
  return (await askRedis(port, 'INFO', 'replication')).includes('master_link_status:up')
}

/** The node counts all slots as served, and knows the replicas. */
async function isWorking(port: number): Promise<boolean> {
  const nodes = await askRedis(port, 'CLUSTER', 'NODES')
  const state = await askRedis(port, 'CLUSTER', 'INFO')
  return nodes.match(/slave /g)?.length === MASTERS && state.includes('cluster_state:ok')
}

async function isWorkingMaster(port: number): Promise<boolean> {
  const role = await askRedis(port, 'INFO', 'replication')
  return (
    role.includes('role:master') && (await askRedis(port, 'CLUSTER', 'INFO')).includes('cluster_state:ok')
  )
}

async function every(ports: readonly number[], holds: (port: number) => Promise<boolean>): Promise<boolean> {
  return (await Promise.all(ports.map(holds))).every(Boolean)
}

async function until(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
  const end = Date.now() + STARTED_WITHIN
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`After 30 s, ${otherwise}`)
    await setTimeout(20)
  }
}
