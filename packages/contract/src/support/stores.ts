import { memoryReplayStore, type ReplayStore } from '@service-signature/core'
import { redisReplayStore } from '@service-signature/redis'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createClient } from 'redis'
import { hasRedis, startRedis } from '../redis-server.js'

/** Something that has stores, each with nothing in it. */
export interface StoreKind {
  readonly name: string
  readonly isThere: boolean
  readonly start: () => Promise<StoreSupply>
}

export interface StoreSupply {
  readonly open: () => ReplayStore
  readonly stop: () => Promise<void>
}

export const STORES: readonly StoreKind[] = [
  {
    name: 'in memory',
    isThere: true,
    start: () => Promise.resolve({ open: memoryReplayStore, stop: () => Promise.resolve() }),
  },
  {
    name: 'in Redis',
    isThere: hasRedis(),
    async start() {
      const server = await startRedis()
      const client = createClient({ url: server.url }).on('error', () => undefined)
      await client.connect()
      return {
        open: () => redisReplayStore(client, { prefix: `${randomUUID()}:` }),
        async stop() {
          await client.close()
          await server.stop()
        },
      }
    },
  },
]

/** The store, which also says when it has been told how so many deliveries ended. */
export function watched(store: ReplayStore): { store: ReplayStore; ended: (count: number) => Promise<void> } {
  const news = new EventEmitter()
  let endings = 0
  const watch = (step: ReplayStore['commit']) => async (key: string, token: string) => {
    await step(key, token)
    endings++
    news.emit('ended')
  }
  return {
    store: {
      claim: (key) => store.claim(key),
      commit: watch(store.commit),
      release: watch(store.release),
    },
    async ended(count) {
      while (endings < count) await once(news, 'ended')
    },
  }
}
