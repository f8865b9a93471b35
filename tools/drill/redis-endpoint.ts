// An endpoint over a Redis cluster, with the settings of docs/redis.md.
import { redisReplayStore, type RedisClient } from '@service-signature/redis'
import { Cluster } from 'ioredis'
import { Cluster as ValkeyCluster } from 'iovalkey'
import { connectCluster } from '../../examples/redis/cluster.js'
import { runEndpoint } from './endpoint.js'

const ports = process.env['PORTS']!.split(',').map(Number)
const nodes = ports.map((port) => ({ host: '127.0.0.1', port }))

const connect: Readonly<Record<string, () => RedisClient | Promise<RedisClient>>> = {
  redis: () =>
    connectCluster(
      ports.map((port) => `redis://127.0.0.1:${port}`),
      ignore,
    ),
  ioredis: () => new Cluster(nodes, { redisOptions: { socketTimeout: 3000 } }).on('error', ignore),
  iovalkey: () => new ValkeyCluster(nodes, { redisOptions: { socketTimeout: 3000 } }).on('error', ignore),
}

/** The failed steps are in the reports. */
function ignore(): void {
  // Without a listener, an error would end the process.
}

const client = await connect[process.env['CLIENT']!]!()
await runEndpoint(redisReplayStore(client, { leaseSeconds: Number(process.env['LEASE_SECONDS']) }))
