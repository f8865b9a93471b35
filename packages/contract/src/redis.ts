import { redisReplayStore } from '@service-signature/redis'
import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { describe } from 'vitest'
import { replays } from './cases/replays.js'
import type { Host } from './host.js'
import { startRedis } from './redis-server.js'
import type { StoreKind } from './support/stores.js'

const inRedis: StoreKind = {
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
}

/** The cases about repeated deliveries, with a store in a real Redis. */
export function redisContract(host: Host): void {
  describe(`in ${host.name}, with a store in Redis`, () => {
    replays(host, inRedis)
  })
}
