import { newWebhook } from '@service-signature/contract/inbox-cases'
import { postgresInbox } from '@service-signature/postgres'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { useServer } from './support/databases.js'
import { isMissing } from '@service-signature/contract/services'

const { server } = useServer()

/** The errors that would end the process. */
function watchUncaught(): readonly unknown[] {
  const uncaught: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error))
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener)
  })
  return uncaught
}

function newPool(port: number, options: pg.PoolConfig = {}): pg.Pool {
  const connectionString = server().url.replace(String(server().port), String(port))
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 3000, ...options })
  onTestFinished(() => pool.end())
  return pool
}

/** "Ready for query", the last message of the server before the first query. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')

/** The message of a server that shuts down. */
function shutdownMessage(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', '']
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''))
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

/** A server that shuts down just after it has accepted a connection: the message is in the same packet as "ready for query". */
async function closingServer() {
  let isClosing = false
  const proxy = createServer((client) => {
    const upstream = connect(server().port, '127.0.0.1')
    let isGreeting = true
    client.pipe(upstream).on('error', () => client.destroy())
    client.on('error', () => upstream.destroy())
    client.on('close', () => upstream.destroy())
    upstream.on('data', (data) => {
      const ends = isGreeting && isClosing && data.subarray(-READY.length).equals(READY)
      if (data.subarray(-READY.length).equals(READY)) isGreeting = false
      if (ends) client.end(Buffer.concat([data, shutdownMessage()]))
      else client.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
  })
  return {
    port: (proxy.address() as AddressInfo).port,
    close: (closing: boolean) => {
      isClosing = closing
    },
  }
}

it.skipIf(isMissing('postgres'))(
  'refuses a delivery with 503 if its new client is lost in the packet that makes it ready',
  async () => {
    const uncaught = watchUncaught()
    const { port, close } = await closingServer()
    // Each query has a new client.
    const inbox = postgresInbox(newPool(port, { maxUses: 1 }))
    await inbox.migrate()
    close(true)
    const webhook = newWebhook()
    let calls = 0
    const refused = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, cause: { code: '57P01' } }
    await expect(inbox.handle(webhook, () => calls++)).rejects.toMatchObject(refused)
    await expect(inbox.claim('key')).rejects.toMatchObject(refused)
    await expect(inbox.prune()).rejects.toThrow()
    close(false)
    expect((await inbox.handle(webhook, () => calls++)).outcome).toBe('handled')
    expect(calls).toBe(1)
    expect(uncaught).toEqual([])
  },
)

it.skipIf(isMissing('postgres'))(
  'listens for errors of the pool, once, so that a lost idle client does not end the process',
  async () => {
    const uncaught = watchUncaught()
    const pool = newPool(server().port)
    const inbox = postgresInbox(pool)
    postgresInbox(pool, { table: 'another' })
    expect(pool.listenerCount('error')).toBe(1)
    await inbox.migrate()
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const admin = newPool(server().port, { max: 1 })
    await admin.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid])
    await expect.poll(() => pool.totalCount).toBe(0)
    expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
    expect(uncaught).toEqual([])
  },
)
