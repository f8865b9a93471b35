import type { RedisClient } from '@service-signature/redis'
import type { GlideClient, GlideClusterClient } from '@valkey/valkey-glide'
import { Cluster as Cluster6, Redis as Redis6 } from 'ioredis'
import type { Cluster as Cluster5, Redis as Redis5 } from 'ioredis5'
import { Cluster as ValkeyCluster, Redis as Valkey } from 'iovalkey'
import * as redis6 from 'redis'
import type { Connect, Connected } from '../../support/redis.js'

/** The methods that all clients share, to open and to close them. */
interface NodeRedis {
  readonly on: (event: 'error', listener: () => void) => unknown
  readonly connect: () => Promise<unknown>
  /** Missing in version 4, which has `disconnect`. */
  readonly destroy?: () => void
  readonly disconnect?: () => unknown
}

const url = (port: number) => `redis://127.0.0.1:${port}`
const rootNodes = (port: number) => ({ rootNodes: [{ url: url(port) }] })
const nodes = (port: number) => [{ host: '127.0.0.1', port }]

async function opened(client: NodeRedis & RedisClient): Promise<Connected> {
  client.on('error', () => undefined)
  await client.connect()
  return { client, close: () => (client.destroy ?? client.disconnect)?.call(client) }
}

function open(client: Redis5 | Redis6 | Valkey | Cluster5 | Cluster6 | ValkeyCluster): Promise<Connected> {
  const emitter: Pick<Redis6, 'on'> = client as Redis6
  emitter.on('error', () => undefined)
  const close = () => {
    client.disconnect()
  }
  return Promise.resolve({ client, close })
}

function glide(client: GlideClient | GlideClusterClient): Connected {
  const close = () => {
    client.close()
  }
  return { client, close }
}

/** Loaded when a test connects, because the drivers are not installed everywhere. */
export async function loadGlide() {
  const glide = await import('@valkey/valkey-glide')
  glide.Logger.init('off')
  return glide
}
const loadRedis4 = () => import('redis4')
export const loadRedis5 = () => import('redis5')
export const loadIoredis5 = () => import('ioredis5')

/** Every package and version that is supported, with the settings that change the protocol. */
export const CLIENTS: Readonly<Record<string, Connect>> = {
  'redis 4': async (port) => opened((await loadRedis4()).createClient({ url: url(port) })),
  'redis 5': async (port) => opened((await loadRedis5()).createClient({ url: url(port) })),
  'redis 5, RESP 3': async (port) => opened((await loadRedis5()).createClient({ url: url(port), RESP: 3 })),
  'redis 6': (port) => opened(redis6.createClient({ url: url(port) })),
  'redis 6, RESP 2': (port) => opened(redis6.createClient({ url: url(port), RESP: 2 })),
  'redis 6, a pool': (port) => opened(redis6.createClientPool({ url: url(port) })),
  async 'redis 6, replies as other types'(port) {
    const { BLOB_STRING, NUMBER } = redis6.RESP_TYPES
    const client = redis6.createClient({ url: url(port) })
    const { close } = await opened(client)
    return { client: client.withTypeMapping({ [BLOB_STRING]: Buffer, [NUMBER]: String }), close }
  },
  'ioredis 5': async (port) => open(new (await loadIoredis5()).Redis(port)),
  'ioredis 6': (port) => open(new Redis6(port)),
  'ioredis 6, numbers as text, pipelined by itself': (port) =>
    open(new Redis6(port, { stringNumbers: true, enableAutoPipelining: true })),
  iovalkey: (port) => open(new Valkey(port)),
  'valkey-glide': async (port) =>
    glide(await (await loadGlide()).GlideClient.createClient({ addresses: nodes(port) })),
}

export const CLUSTERS: Readonly<Record<string, Connect>> = {
  'redis 4': async (port) => opened((await loadRedis4()).createCluster(rootNodes(port))),
  'redis 5': async (port) => opened((await loadRedis5()).createCluster(rootNodes(port))),
  'redis 6': (port) => opened(redis6.createCluster(rootNodes(port))),
  'ioredis 5': async (port) => open(new (await loadIoredis5()).Cluster(nodes(port))),
  'ioredis 6': (port) => open(new Cluster6(nodes(port))),
  iovalkey: (port) => open(new ValkeyCluster(nodes(port))),
  'valkey-glide': async (port) =>
    glide(await (await loadGlide()).GlideClusterClient.createClient({ addresses: nodes(port) })),
}
