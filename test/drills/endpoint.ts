// One process of an Express endpoint, over the store that STORE names. It tells the process that started it
// when it listens, then each step.
import { deliveryKey, type ReplayStore, type VerifiedWebhook } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { redisReplayStore, type RedisClient } from '@service-signature/redis'
import express from 'express'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { createClient } from 'redis'
import { database } from '#database'
import { connectCluster } from '../../examples/redis/cluster.js'
import { replaceWhenSilent } from '../../examples/redis/replace-silent.js'
import { BOOK, connect } from './databases/postgres.js'
import type { Env } from './endpoints.js'
import type { Report } from './handlings.js'

interface Endpoint {
  readonly replay?: ReplayStore
  readonly handle: (webhook: VerifiedWebhook, id: string) => Promise<void>
}

const { STORE, CLIENT, PORT, SECRET, REDIS_URL, PORTS = '', LEASE_SECONDS } = process.env

/** Clients of one server, as the README has them. */
const CLIENTS: Readonly<Record<string, () => Promise<RedisClient>>> = {
  async redis() {
    const client = createClient({
      url: REDIS_URL!,
      disableOfflineQueue: true,
      pingInterval: 1000,
      socket: { socketTimeout: 3000, reconnectStrategy: (retries) => Math.min(retries * 100, 1000) },
    })
    client.on('error', ignore)
    replaceWhenSilent(client)
    return client.connect()
  },
  async ioredis() {
    const options = { enableOfflineQueue: false, maxRetriesPerRequest: 1, socketTimeout: 3000 }
    const client = new (await import('ioredis')).Redis(REDIS_URL!, options).on('error', ignore)
    await once(client, 'ready')
    return client
  },
}

const STORES: Readonly<Record<string, () => Promise<Endpoint>>> = {
  /** Nothing but the inbox prevents a second booking. */
  async inbox() {
    const book = await database.connect(process.env as Env)
    const handle = async (webhook: VerifiedWebhook, delivery: string) => {
      const booking = randomUUID()
      await book(webhook, { delivery, booking }, async () => {
        report({ kind: 'booked', booking })
        await setTimeout(Math.random() * 20)
      })
    }
    return { handle }
  },

  /** Redis besides the database: a delivery may be booked again. */
  async redis() {
    const pool = connect(process.env['DATABASE_URL']!, 8)
    return overRedis(await CLIENTS[CLIENT!]!(), async (id, token) => {
      await pool.query(BOOK, [id, token])
    })
  },

  /** With the settings of packages/redis/README.md. */
  async cluster() {
    const nodes = PORTS.split(',').map((port) => ({ host: '127.0.0.1', port: Number(port) }))
    const options = { redisOptions: { socketTimeout: 3000 } }
    const clients: Readonly<Record<string, () => Promise<RedisClient>>> = {
      redis: () =>
        connectCluster(
          nodes.map(({ port }) => `redis://127.0.0.1:${port}`),
          ignore,
        ),
      ioredis: async () => new (await import('ioredis')).Cluster(nodes, options).on('error', ignore),
      iovalkey: async () => new (await import('iovalkey')).Cluster(nodes, options).on('error', ignore),
    }
    return overRedis(await clients[CLIENT!]!())
  },
}

/** Reports each step of the store. The token names the claim, and so one handling of one delivery. */
function overRedis(
  client: RedisClient,
  book: (id: string, token: string) => Promise<void> = () => Promise.resolve(),
): Endpoint {
  const store = redisReplayStore(client, { leaseSeconds: Number(LEASE_SECONDS) })
  const tokens = new Map<string, string>()
  const end = async (step: 'commit' | 'release', key: string, token: string) => {
    try {
      await store[step](key, token)
      report({ kind: 'ended', token, step, at: now(), isFailed: false })
    } catch (error) {
      report({ kind: 'ended', token, step, at: now(), isFailed: true })
      throw error
    }
  }
  const replay: ReplayStore = {
    async claim(key) {
      const askedAt = now()
      const claim = await store.claim(key)
      if (claim.status === 'new') {
        tokens.set(key, claim.token)
        report({ kind: 'claimed', token: claim.token, askedAt, at: now() })
      }
      return claim
    },
    commit: (key, token) => end('commit', key, token),
    release: (key, token) => end('release', key, token),
  }
  const handle = async (webhook: VerifiedWebhook, id: string) => {
    const key = await deliveryKey(webhook)
    const token = tokens.get(key)!
    // Handlers of different lengths, so that some are at work when a server dies.
    await setTimeout(Number.parseInt(key.slice(0, 2), 16) / 8)
    await book(id, token)
    report({ kind: 'handled', id, token })
  }
  return { replay, handle }
}

/** The failed steps are in the reports. Without a listener, an error would end the process. */
function ignore(): void {
  return
}

function report(message: Report): void {
  process.send!(message)
}

/** Milliseconds, the same in every process of this machine. */
function now(): number {
  return performance.timeOrigin + performance.now()
}

const { replay, handle } = await STORES[STORE!]!()
const app = express()
app.post('/webhooks', serviceSignature({ secret: SECRET!, ...(replay && { replay }) }), async (req, res) => {
  const webhook = req.webhook!
  await handle(webhook, (webhook.event.payload as { id: string }).id)
  res.sendStatus(204)
})
const server = app.listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
// The drill has ended, or was ended.
process.once('disconnect', () => process.exit())
process.send!('listening')
