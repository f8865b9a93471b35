import { replayStoreCases } from '@service-signature/core/testing'
import { redisReplayStore, type RedisClient } from '@service-signature/redis'
import { Redis } from 'ioredis'
import { once } from 'node:events'
import { createClient } from 'redis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useRedis, type Connect } from '../support/redis.js'
import { CLIENTS } from './support/clients.js'
import { isMissing } from '@service-signature/contract/services'

const LEASE = 60_000
const DAY = 86_400_000
// The longest time between a step and the check of its result.
const PAUSE = 20_000

/** Behaves like a client whose connection broke before each first answer. */
const sendingTwice: Connect = (port) => {
  const client = new Redis(port)
  return Promise.resolve({
    client: {
      async eval(script: string, keyCount: number, ...rest: string[]) {
        await client.eval(script, keyCount, ...rest)
        return client.eval(script, keyCount, ...rest)
      },
      defineCommand: () => undefined,
    },
    close() {
      client.disconnect()
    },
  })
}

describe.skipIf(isMissing('drivers', 'redis'))('over a real Redis', () => {
  const { server, data, twoStores } = useRedis()
  const connect = CLIENTS['ioredis 6']!

  const clients = Object.entries({ ...CLIENTS, 'a client that sends everything twice': sendingTwice })
  describe.each(clients)('with %s', (_name, connect) => {
    for (const { name, run } of replayStoreCases((times) => twoStores(connect, times))) it(name, run)
  })

  describe('the data in Redis', () => {
    it('is the token of a claim, for its lease', async () => {
      const { store, prefix, close } = await twoStores(connect)
      onTestFinished(close)
      const { token } = await store.claim('key')
      expect(await data().keys(`${prefix}*`)).toEqual([`${prefix}key`])
      expect(await data().get(`${prefix}key`)).toBe(`claimed:${token}`)
      await expectLeft(`${prefix}key`, LEASE)
    })

    it('is one word after a commit, for a day from the first commit on', async () => {
      const { store, prefix, advance, close } = await twoStores(connect)
      onTestFinished(close)
      const { token } = await store.claim('key')
      await store.commit('key', token)
      expect(await data().keys(`${prefix}*`)).toEqual([`${prefix}key`])
      expect(await data().get(`${prefix}key`)).toBe('done')
      await expectLeft(`${prefix}key`, DAY)
      await advance(3600)
      await store.commit('key', token)
      await store.claim('key')
      await expectLeft(`${prefix}key`, DAY - 3_600_000)
    })

    it('is removed by a release', async () => {
      const { store, prefix, close } = await twoStores(connect)
      onTestFinished(close)
      await store.release('key', (await store.claim('key')).token)
      expect(await data().keys(`${prefix}*`)).toEqual([])
    })

    it('has the documented key, after the prefix of the client', async () => {
      const client = new Redis(server().port, { keyPrefix: 'shop:' })
      onTestFinished(() => {
        client.disconnect()
      })
      const sha256 = '0'.repeat(64)
      await redisReplayStore(client).claim(sha256)
      expect(await data().keys('shop:*')).toEqual([`shop:service-signature:${sha256}`])
    })

    it('takes no more memory than documented', async () => {
      const count = 20_000
      const { store, close } = await twoStores(connect, { prefix: 'service-signature:' })
      onTestFinished(close)
      const before = await usedMemory()
      for (let i = 0; i < count; i += 1000) {
        const keys = Array.from({ length: 1000 }, (_, j) => String(i + j).padStart(64, '0'))
        await Promise.all(keys.map(async (key) => store.commit(key, (await store.claim(key)).token)))
      }
      const bytes = ((await usedMemory()) - before) / count
      console.log(`${bytes.toFixed()} bytes for each delivery`)
      expect(bytes).toBeLessThan(300)
    })

    it('of a commit cannot be released, whatever the token', async () => {
      const { store, close } = await twoStores(connect)
      onTestFinished(close)
      await store.commit('key', (await store.claim('key')).token)
      await store.release('key', 'done')
      expect((await store.claim('key')).status).toBe('done')
    })

    async function expectLeft(key: string, milliseconds: number): Promise<void> {
      const left = await data().pttl(key)
      expect(left).toBeLessThanOrEqual(milliseconds)
      expect(left).toBeGreaterThan(milliseconds - PAUSE)
    }

    async function usedMemory(): Promise<number> {
      return Number(/used_memory:(\d+)/.exec(await data().info('memory'))![1])
    }
  })
})

describe.skipIf(isMissing('drivers', 'redis'))('over a Redis that dies, with the settings of README', () => {
  const { server } = useRedis()

  it.each<[string, () => Promise<{ client: RedisClient; ready: () => Promise<unknown> }>]>([
    [
      'redis',
      async () => {
        const client = createClient({
          url: server().url,
          disableOfflineQueue: true,
          pingInterval: 1000,
          socket: { socketTimeout: 3000, reconnectStrategy: (retries) => Math.min(retries * 100, 1000) },
        })
        client.on('error', () => undefined)
        await client.connect()
        onTestFinished(() => {
          client.destroy()
        })
        return { client, ready: () => new Promise((resolve) => client.once('ready', resolve)) }
      },
    ],
    [
      'ioredis',
      async () => {
        const client = new Redis(server().port, {
          enableOfflineQueue: false,
          maxRetriesPerRequest: 1,
          socketTimeout: 3000,
        })
        client.on('error', () => undefined)
        onTestFinished(() => {
          client.disconnect()
        })
        await once(client, 'ready')
        return { client, ready: () => new Promise((resolve) => client.once('ready', resolve)) }
      },
    ],
  ])('%s rejects, and works again when Redis is up', async (_name, connect) => {
    const { client, ready } = await connect()
    const store = redisReplayStore(client)
    await store.claim('before')
    await server().kill()
    await expect(store.claim('meanwhile')).rejects.toThrow(Error)
    await expect(store.commit('before', 'token')).rejects.toThrow(Error)
    await expect(store.release('before', 'token')).rejects.toThrow(Error)
    const isBack = ready()
    await server().restart()
    await isBack
    expect((await store.claim('meanwhile')).status).toBe('new')
  })
})
