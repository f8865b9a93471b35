import { startRedisCluster, type RedisCluster } from '@service-signature/contract/redis-cluster'
import { startRedis, type RedisServer } from '@service-signature/contract/redis-server'
import { redisReplayStore, type RedisClient, type RedisReplayStoreOptions } from '@service-signature/redis'
import { Redis } from 'ioredis'
import { afterAll, beforeAll } from 'vitest'

export interface Connected {
  readonly client: RedisClient
  readonly close: () => unknown
}

export type Connect = (port: number) => Promise<Connected>

/** Runs a Redis for the tests of a `describe`, with access to its data. */
export function useRedis(options?: Parameters<typeof startRedis>[0]) {
  let server: RedisServer
  let data: Redis

  beforeAll(async () => {
    server = await startRedis(options)
    data = open(server.port)
  })
  afterAll(async () => {
    data.disconnect()
    await server.stop()
  })

  return {
    server: () => server,
    /** The data itself. */
    data: () => data,
    twoStores: (connect: Connect, options: RedisReplayStoreOptions = {}) =>
      openTwoStores(connect, server.port, [data], options),
  }
}

/** Runs a cluster of three masters and three replicas for the tests of a `describe`. */
export function useRedisCluster(options?: Parameters<typeof startRedisCluster>[0]) {
  let cluster: RedisCluster
  let masters: readonly Redis[] = []

  beforeAll(async () => {
    cluster = await startRedisCluster(options)
    masters = cluster.ports.slice(0, 3).map(open)
  })
  afterAll(async () => {
    for (const master of masters) master.disconnect()
    await cluster.stop()
  })

  return {
    cluster: () => cluster,
    /** The data of each master. */
    masters: () => masters,
    twoStores: (connect: Connect, options: RedisReplayStoreOptions = {}) =>
      openTwoStores(connect, cluster.ports[0]!, masters, options),
  }
}

function open(port: number): Redis {
  const data = new Redis(port)
  data.on('error', () => undefined)
  return data
}

let count = 0

/** Two stores, as in two processes, with an unused prefix. */
async function openTwoStores(
  connect: Connect,
  port: number,
  data: readonly Redis[],
  options: RedisReplayStoreOptions,
) {
  const prefix = `test-${++count}:`
  const [one, two] = await Promise.all([connect(port), connect(port)])
  return {
    prefix,
    store: redisReplayStore(one.client, { prefix, ...options }),
    other: redisReplayStore(two.client, { prefix, ...options }),
    advance: async (seconds: number) => {
      for (const server of data) await letTimePass(server, seconds, prefix)
    },
    close: async () => {
      await one.close()
      await two.close()
    },
  }
}

/** Shortens the lifetime of the keys, instead of waiting. */
export async function letTimePass(data: Redis, seconds: number, prefix = ''): Promise<void> {
  for (const key of await data.keys(`${prefix}*`)) {
    const left = await data.pttl(key)
    // The key never expires, or has just expired.
    if (left < 0) continue
    const rest = left - seconds * 1000
    await (rest > 0 ? data.pexpire(key, rest) : data.del(key))
  }
}
