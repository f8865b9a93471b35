import { redisReplayStore } from '@service-signature/redis'
import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { describe } from 'vitest'
import { replays } from './cases/replays.js'
import type { Host } from './host.js'
import { startRedis } from './redis-server.js'
import { isMissing } from './services.js'
import type { StoreKind } from './support/stores.js'

const inRedis: StoreKind = {
  async start() {
    const server = await startRedis()
    const client = createClient({ url: server.url }).on('error', () => undefined)
    await client.connect()
    return {
      open() {
        const prefix = `${randomUUID()}:`
        const endLeases = async () => {
          for (const key of await client.keys(`${prefix}*`)) {
            if ((await client.get(key))?.startsWith('claimed:')) await client.del(key)
          }
        }
        return { ...redisReplayStore(client, { prefix }), endLeases }
      },
      async stop() {
        await client.close()
        await server.stop()
      },
    }
  },
}

/** The cases about repeated deliveries, with a store in a real Redis. */
export function redisContract(host: Host): void {
  describe.skipIf(isMissing('redis'))(`in ${host.name}, with a store in Redis`, () => {
    replays(host, inRedis)
  })
}
