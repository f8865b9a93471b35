import { startProxy } from '@service-signature/contract/silent-proxy'
import { serviceSignature } from '@service-signature/express'
import type { Inbox } from '@service-signature/postgres'
import express from 'express'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SERVER_LIBRARIES, useServer, type Library } from './support/databases.js'
import { isMissing } from '@service-signature/contract/services'

const SECRET = 'test_signature_key'
const TABLE = 'inbox_in_trouble'

interface Trouble {
  readonly begin: () => unknown
  readonly end: () => unknown
}

const { server } = useServer({ max_connections: '20', superuser_reserved_connections: '3' })

/** A database of its own behind a proxy that can go silent. */
async function newDatabase(library: Library) {
  const admin = library.connect(server().url, { max: 1 })
  onTestFinished(() => admin.close())
  const name = `trouble_${Math.random().toString(36).slice(2)}`
  await admin.run(`CREATE DATABASE ${name}`)
  await admin.run(`DROP ROLE IF EXISTS merchant`)
  await admin.run(`CREATE ROLE merchant LOGIN`)
  await admin.run(`ALTER DATABASE ${name} OWNER TO merchant`)
  const proxy = await startProxy(server().port)
  onTestFinished(async () => {
    await expect
      .poll(() => admin.run(`DROP DATABASE ${name} WITH (FORCE)`).then(() => 'dropped'))
      .toBe('dropped')
  })
  const url = `postgres://merchant@127.0.0.1:${proxy.port}/${name}`

  const disconnect = () =>
    admin.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'merchant'`)
  let stopped: readonly string[] = []
  const troubles: Readonly<Record<string, Trouble>> = {
    'is down': { begin: () => server().kill(), end: () => server().restart() },
    'answers nothing': {
      async begin() {
        stopped = await processesOf(admin)
        execFileSync('kill', ['-STOP', ...stopped])
      },
      end: () => execFileSync('kill', ['-CONT', ...stopped]),
    },
    'has half-open connections': {
      begin: () => {
        proxy.goSilent()
      },
      end: () => {
        proxy.heal()
      },
    },
    'has no connection left': {
      async begin() {
        await admin.run('ALTER ROLE merchant CONNECTION LIMIT 0')
        await disconnect()
      },
      end: () => admin.run('ALTER ROLE merchant CONNECTION LIMIT -1'),
    },
    'is read-only': {
      async begin() {
        await admin.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
        await disconnect()
      },
      async end() {
        await admin.run(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
        await disconnect()
      },
    },
  }
  return { url, troubles }
}

/** The ids of the server's processes. */
async function processesOf({ run }: ReturnType<Library['connect']>): Promise<readonly string[]> {
  const [row] = await run('SELECT pg_backend_pid()::text AS pid')
  const stat = readFileSync(`/proc/${String(row!['pid'])}/stat`, 'utf8')
  const parent = stat.split(') ')[1]!.split(' ')[1]!
  const children = execFileSync('pgrep', ['-P', parent], { encoding: 'utf8' }).trim().split('\n')
  return [parent, ...children]
}

/** An Express endpoint in this process. It books in the transaction of the inbox, or has the inbox as its replay store. */
const ENDPOINTS: Readonly<Record<string, (app: express.Express, inbox: Inbox<unknown>, book: Book) => void>> =
  {
    'inbox.handle'(app, inbox, book) {
      app.post('/webhooks', serviceSignature({ secret: SECRET }), async (req, res) => {
        const { id } = req.webhook!.event.payload as { id: string }
        const { outcome } = await inbox.handle(req.webhook!, (client) => book(client, id))
        res.sendStatus(outcome === 'handled' ? 204 : 200)
      })
    },
    'replay: inbox'(app, inbox, book) {
      const options = { secret: SECRET, replay: inbox, storeTimeoutSeconds: 1 }
      app.post('/webhooks', serviceSignature(options), async (req, res) => {
        await book(undefined, (req.webhook!.event.payload as { id: string }).id)
        res.sendStatus(204)
      })
    },
  }

type Book = (client: unknown, id: string) => Promise<unknown>

const LIBRARIES = SERVER_LIBRARIES.map((library) => [library.name, library] as const)
const TROUBLES = [
  'is down',
  'answers nothing',
  'has half-open connections',
  'has no connection left',
  'is read-only',
]

describe.skipIf(isMissing('postgres')).each(LIBRARIES)('with %s', (_name, library) => {
  describe.each(Object.entries(ENDPOINTS))('and %s', (_endpoint, listen) => {
    it.each(TROUBLES)(
      'answers 503 with Retry-After while Postgres %s, and handles the retry without a restart',
      async (trouble) => {
        const { url, troubles } = await newDatabase(library)
        const { begin, end } = troubles[trouble]!
        const pool = library.connect(url, { max: 3 })
        onTestFinished(() => pool.close())
        // A claim that arrived, but was not confirmed, holds until its lease ends.
        const times = { timeoutSeconds: 1, waitSeconds: 1, leaseSeconds: 2 }
        const inbox = pool.inbox({ table: TABLE, ...times })
        await inbox.migrate()
        await pool.run('CREATE TABLE bookings (id text)')
        const handled: string[] = []
        const app = express()
        listen(app, inbox, async (client, id) => {
          if (client !== undefined) await library.on(client, 'INSERT INTO bookings VALUES ($1)', [id])
          handled.push(id)
        })
        const port = await listening(app)
        expect((await deliver(port, 'before')).status).toBe(204)
        await expect.poll(async () => (await deliver(port, 'before')).status).toBe(200)

        await begin()
        try {
          const refused = await deliver(port, 'meanwhile')
          expect(refused.status).toBe(503)
          expect(refused.headers.get('Retry-After')).toBe('10')
          expect(handled).toEqual(['before'])
        } finally {
          await end()
        }
        const retry = async () => (await deliver(port, 'meanwhile')).status
        await expect.poll(retry, { interval: 50 }).toBe(204)
        await expect.poll(async () => (await deliver(port, 'before')).status).toBe(200)
        expect(handled).toEqual(['before', 'meanwhile'])
      },
    )
  })
})

async function listening(app: express.Express): Promise<number> {
  // Express prints no errors then.
  app.set('env', 'test')
  const listener = app.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => {
    listener.closeAllConnections()
    listener.close()
  })
  return (listener.address() as AddressInfo).port
}

async function deliver(port: number, id: string): Promise<Response> {
  const body = JSON.stringify({ id, type: 'intent.processed' })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const message = Buffer.from(body).toString('base64') + timestamp
  const digest = createHmac('sha256', SECRET).update(message).digest('hex')
  const response = await fetch(`http://127.0.0.1:${port}/webhooks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Service-Signature': `t=${timestamp},v3=${digest}` },
    body,
  })
  await response.arrayBuffer()
  return response
}
