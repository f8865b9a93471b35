// Compiled with the workspace (npm run types), never run: the clients that the store takes, by their own types.
import { memoryReplayStore, type ReplayStore } from '@service-signature/core'
import { redisReplayStore, type SharedReplayStore } from '@service-signature/redis'
import { GlideClient, GlideClusterClient } from '@valkey/valkey-glide'
import { Cluster, Redis } from 'ioredis'
import { Cluster as Cluster5, Redis as Redis5 } from 'ioredis5'
import { Cluster as ValkeyCluster, Redis as Valkey } from 'iovalkey'
import * as redis6 from 'redis'
import * as redis4 from 'redis4'
import * as redis5 from 'redis5'

const nodes = { rootNodes: [{ url: 'redis://127.0.0.1:6379' }] }
const sentinels = { name: 'main', sentinelRootNodes: [{ host: '127.0.0.1', port: 26379 }] }

redisReplayStore(redis4.createClient())
redisReplayStore(await redis4.createClient().connect())
redisReplayStore(redis4.createCluster(nodes))
redisReplayStore(redis5.createClient())
redisReplayStore(await redis5.createClient({ disableOfflineQueue: true }).connect())
redisReplayStore(redis5.createClient({ RESP: 3 }))
redisReplayStore(redis5.createClientPool())
redisReplayStore(redis5.createCluster(nodes))
redisReplayStore(redis5.createSentinel(sentinels))
redisReplayStore(redis6.createClient())
redisReplayStore(await redis6.createClient({ disableOfflineQueue: true }).connect())
redisReplayStore(redis6.createClient({ RESP: 3 }))
redisReplayStore(redis6.createClient().withTypeMapping({ [redis6.RESP_TYPES.BLOB_STRING]: Buffer }))
redisReplayStore(redis6.createClientPool())
redisReplayStore(redis6.createCluster(nodes))
redisReplayStore(redis6.createSentinel(sentinels))
redisReplayStore(new Redis())
redisReplayStore(new Cluster([]))
redisReplayStore(new Redis5())
redisReplayStore(new Cluster5([]))
redisReplayStore(new Valkey())
redisReplayStore(new ValkeyCluster([]))
redisReplayStore(await GlideClient.createClient({ addresses: [{ host: '127.0.0.1' }] }))
redisReplayStore(await GlideClusterClient.createClient({ addresses: [{ host: '127.0.0.1' }] }))

const own: SharedReplayStore = redisReplayStore(new Redis(), {
  prefix: 'p:',
  leaseSeconds: 5,
  ttlSeconds: 60,
})
void (own satisfies ReplayStore)
void (own.ttlSeconds satisfies number)
void ((await own.claim('key')).status satisfies 'new' | 'in-progress' | 'done')

// @ts-expect-error: a store is not a client
redisReplayStore(memoryReplayStore())
// @ts-expect-error: the URL alone is not enough
redisReplayStore('redis://127.0.0.1:6379')
// @ts-expect-error: the eval of clients over HTTP takes other arguments
redisReplayStore({ eval: (_script: string, _keys: string[], _args: string[]) => Promise.resolve(1) })
// @ts-expect-error: misspelled
redisReplayStore(new Redis(), { leaseSecond: 5 })
