import { startProxy } from '@service-signature/contract/silent-proxy'
import { redisReplayStore, type RedisClient } from '@service-signature/redis'
import { Redis as Redis6 } from 'ioredis'
import { Redis as Valkey } from 'iovalkey'
import { randomUUID } from 'node:crypto'
import * as redis6 from 'redis'
import { expect, it, onTestFinished } from 'vitest'
import { useRedis } from '../support/redis.js'
import { loadIoredis5, loadRedis5 } from './support/clients.js'
import { isMissing } from '@service-signature/contract/services'

/** The example that README shows. */
const { replaceWhenSilent } = (await import(
  new URL('../../../../examples/redis/replace-silent.js', import.meta.url).href
)) as { readonly replaceWhenSilent: (client: RedisClient, milliseconds: number) => void }

// The settings of README, with a tenth of its times.
const nodeRedis = { disableOfflineQueue: true, pingInterval: 100 }
const socket = { socketTimeout: 300, reconnectStrategy: (retries: number) => Math.min(retries * 10, 100) }
const ioredis = { enableOfflineQueue: false, maxRetriesPerRequest: 1, socketTimeout: 300 }

type Open = (port: number) => Promise<RedisClient>

const CLIENTS: Readonly<Record<string, Open>> = {
  'redis 5': async (port) => {
    const { createClient } = await loadRedis5()
    return openRedis(createClient({ ...nodeRedis, socket: { ...socket, port } }))
  },
  'redis 6': async (port) => openRedis(redis6.createClient({ ...nodeRedis, socket: { ...socket, port } })),
  'ioredis 5': async (port) => {
    const { Redis } = await loadIoredis5()
    return openIoredis(new Redis({ ...ioredis, port }))
  },
  'ioredis 6': async (port) => openIoredis(new Redis6({ ...ioredis, port })),
  iovalkey: async (port) => openIoredis(new Valkey({ ...ioredis, port })),
}

interface NodeRedis {
  readonly on: (event: 'error', listener: () => void) => unknown
  readonly connect: () => Promise<unknown>
  readonly destroy: () => void
}

async function openRedis<Client extends NodeRedis & RedisClient>(client: Client): Promise<Client> {
  client.on('error', () => undefined)
  replaceWhenSilent(client, 300)
  await client.connect()
  onTestFinished(() => {
    client.destroy()
  })
  return client
}

interface Ioredis {
  readonly on: (event: 'error' | 'ready', listener: () => void) => unknown
  readonly disconnect: () => void
}

async function openIoredis<Client extends Ioredis & RedisClient>(client: Client): Promise<Client> {
  client.on('error', () => undefined)
  onTestFinished(() => {
    client.disconnect()
  })
  await new Promise<void>((resolve) => {
    client.on('ready', resolve)
  })
  return client
}

const { server } = useRedis()

it.skipIf(isMissing('drivers', 'redis')).each(Object.entries(CLIENTS))(
  'replaces a half-open connection under steady deliveries: %s',
  async (_name, open) => {
    const proxy = await startProxy(server().port)
    const store = redisReplayStore(await open(proxy.port))
    expect(await store.claim(randomUUID())).toMatchObject({ status: 'new' })

    // Each delivery is a command that is written, so the connection is never idle.
    let claimed = 0
    const deliveries = setInterval(() => {
      store.claim(randomUUID()).then(
        () => claimed++,
        () => undefined,
      )
    }, 20)
    onTestFinished(() => {
      clearInterval(deliveries)
    })

    proxy.goSilent()
    // The connection that replaces the first one is silent, too, and must be replaced in turn.
    await proxy.connected()
    proxy.heal()
    claimed = 0
    await expect.poll(() => claimed).toBeGreaterThan(0)
  },
)
