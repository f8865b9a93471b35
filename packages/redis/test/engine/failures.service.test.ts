import { serviceSignature } from '@service-signature/express'
import { redisReplayStore, type RedisClient } from '@service-signature/redis'
import express from 'express'
import { Redis } from 'ioredis'
import { Redis as Valkey } from 'iovalkey'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createClient } from 'redis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { useRedis } from '../support/redis.js'
import { loadGlide } from './support/clients.js'
import { bodyOf, deliver, SECRET, send } from '../support/sender.js'
import { isMissing } from '@service-signature/contract/services'

const IOREDIS = { enableOfflineQueue: false, maxRetriesPerRequest: 1, socketTimeout: 3000 }

/** With the settings of README. */
const CLIENTS: Readonly<Record<string, (port: number) => Promise<RedisClient>>> = {
  async redis(port) {
    const client = createClient({
      url: `redis://127.0.0.1:${port}`,
      disableOfflineQueue: true,
      pingInterval: 1000,
      socket: { socketTimeout: 3000, reconnectStrategy: (retries) => Math.min(retries * 100, 1000) },
    })
    client.on('error', () => undefined)
    await client.connect()
    onTestFinished(() => {
      client.destroy()
    })
    return client
  },
  ioredis: (port) => ready(new Redis(port, IOREDIS)),
  iovalkey: (port) => ready(new Valkey(port, IOREDIS)),
  async 'valkey-glide'(port) {
    const { GlideClient } = await loadGlide()
    const client = await GlideClient.createClient({ addresses: [{ host: '127.0.0.1', port }] })
    onTestFinished(() => {
      client.close()
    })
    return client
  },
}

async function ready<Client extends Redis | Valkey>(client: Client): Promise<Client> {
  const emitter: Pick<Redis, 'on'> = client as Redis
  emitter.on('error', () => undefined)
  onTestFinished(() => {
    client.disconnect()
  })
  await once(client, 'ready')
  return client
}

interface Trouble {
  readonly begin: () => unknown
  readonly end: () => unknown
  /** Whether the server still answers reads. */
  readonly isReadable?: boolean
}

const { server, data } = useRedis({ isDurable: true, settings: { 'enable-debug-command': 'yes' } })
const config = (name: string, value: string) => data().config('SET', name, value)

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'is down': { begin: () => server().kill(), end: () => server().restart() },
  'answers nothing': {
    begin: () => {
      server().pause()
    },
    end: () => {
      server().resume()
    },
  },
  'has no connection left': {
    async begin() {
      await config('maxclients', '1')
      await data().call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    },
    end: () => config('maxclients', '100'),
  },
  'has become a read-only replica': {
    begin: () => data().call('REPLICAOF', '127.0.0.1', '1'),
    end: () => data().call('REPLICAOF', 'NO', 'ONE'),
    isReadable: true,
  },
  'has too few replicas to write': {
    begin: () => config('min-replicas-to-write', '1'),
    end: () => config('min-replicas-to-write', '0'),
    isReadable: true,
  },
  'has no memory left': {
    begin: () => config('maxmemory', '1'),
    end: () => config('maxmemory', '0'),
    isReadable: true,
  },
  'loads its data': { begin: beginLoading, end: () => config('key-load-delay', '0') },
}

/** Reloads the data of the server, which takes a minute unless `key-load-delay` is set to 0. */
async function beginLoading(): Promise<void> {
  await data().call('DEBUG', 'POPULATE', '10000', 'filler', '100')
  // The connections are served in between, after so many bytes.
  await config('loading-process-events-interval-bytes', '1024')
  await config('key-load-delay', '6000')
  const other = data().duplicate()
  onTestFinished(() => {
    other.disconnect()
  })
  other.call('DEBUG', 'RELOAD').catch(() => undefined)
  await expect.poll(() => data().info('persistence')).toContain('loading:1')
}

describe.skipIf(isMissing('drivers', 'redis')).each(Object.entries(CLIENTS))('with %s', (client, connect) => {
  it.each(Object.entries(TROUBLES))(
    'answers 503 with Retry-After while Redis %s, and handles the retry without a restart',
    async (name, { begin, end, isReadable }) => {
      const replay = redisReplayStore(await connect(server().port), { prefix: `${client} ${name}:` })
      const { port, handled } = await listen(replay)
      const [before, meanwhile] = [bodyOf('before'), bodyOf('meanwhile')]
      expect(await send(port, before)).toBe(204)
      await expect.poll(() => send(port, before)).toBe(200)

      await begin()
      try {
        const refused = await deliver(port, meanwhile)
        expect(refused.status).toBe(503)
        expect(refused.headers.get('Retry-After')).toBe('10')
        if (isReadable === true) expect(await send(port, before)).toBe(200)
        expect(handled).toEqual(['before'])
      } finally {
        await end()
      }
      await expect.poll(() => send(port, meanwhile), { interval: 50 }).toBe(204)
      expect(await send(port, before)).toBe(200)
      expect(handled).toEqual(['before', 'meanwhile'])
    },
  )
})

/** An Express endpoint in this process, and the ids that it handled. */
async function listen(replay: ReturnType<typeof redisReplayStore>) {
  // A claim that could not be stored is reported on standard error.
  const silence = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const handled: string[] = []
  const app = express()
  app.post('/webhooks', serviceSignature({ secret: SECRET, replay, storeTimeoutSeconds: 1 }), (req, res) => {
    handled.push((req.webhook!.event.payload as { id: string }).id)
    res.sendStatus(204)
  })
  const listening = app.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => {
    listening.closeAllConnections()
    listening.close()
    silence.mockRestore()
  })
  return { port: (listening.address() as AddressInfo).port, handled }
}
