import { redisReplayStore, type RedisReplayStoreOptions } from '@service-signature/redis'
import { Redis } from 'ioredis'
import { afterAll, beforeAll } from 'vitest'
import { startRedis, type RedisServer } from '@service-signature/contract/redis-server'
import type { Connect } from './clients.js'

/** Runs a Redis for the tests of a `describe`, and looks at what is in it. */
export function useRedis(options?: Parameters<typeof startRedis>[0]) {
  let server: RedisServer
  let data: Redis
  let count = 0

  beforeAll(async () => {
    server = await startRedis(options)
    data = new Redis(server.port)
    data.on('error', () => undefined)
  })
  afterAll(async () => {
    data.disconnect()
    await server.stop()
  })

  return {
    server: () => server,
    /** The data itself. */
    data: () => data,
    /** Two stores as two processes have them, with a prefix that was not used before. */
    twoStores: async (connect: Connect, options: RedisReplayStoreOptions = {}) => {
      const prefix = `test-${++count}:`
      const [one, two] = await Promise.all([connect(server.port), connect(server.port)])
      return {
        prefix,
        store: redisReplayStore(one.client, { prefix, ...options }),
        other: redisReplayStore(two.client, { prefix, ...options }),
        advance: (seconds: number) => letTimePass(data, seconds, prefix),
        close: async () => {
          await one.close()
          await two.close()
        },
      }
    },
  }
}

/** Takes the time off what the keys have left. Nothing waits. */
export async function letTimePass(data: Redis, seconds: number, prefix = ''): Promise<void> {
  for (const key of await data.keys(`${prefix}*`)) {
    const left = await data.pttl(key)
    // It never ends, or has ended just now.
    if (left < 0) continue
    const rest = left - seconds * 1000
    await (rest > 0 ? data.pexpire(key, rest) : data.del(key))
  }
}
