import { startPostgres } from '@service-signature/contract/postgres-server'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { forged, pathOf, SECRET, send, spawnNode, valid } from '../../test/support.js'

const folder = pathOf('examples/prisma')
const TYPES = ['transaction.purchase.successful', 'intent.processed', 'unrecognized']

it('books each delivery once, in a transaction of Prisma', async () => {
  const prisma = `${folder}/node_modules/prisma/build/index.js`
  // To generate a client, Prisma needs no engine; any program by this name keeps it from downloading one.
  const env = {
    PATH: process.env['PATH'],
    CHECKPOINT_DISABLE: '1',
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  }
  const options = { cwd: folder, env, encoding: 'utf8' } as const
  expect(
    spawnSync(process.execPath, [prisma, 'generate', '--schema', 'schema.prisma'], options),
  ).toMatchObject({
    status: 0,
  })
  const server = await startPostgres()
  onTestFinished(server.stop)
  const client = new pg.Client(server.url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('CREATE TABLE bookings (id serial PRIMARY KEY, type text NOT NULL)')

  const endpoint = spawnNode([pathOf('examples/test/run.js'), `${folder}/endpoint.js`], {
    ...{ DATABASE_URL: server.url, WEBHOOK_SECRET: SECRET, PORT: '0' },
  })
  onTestFinished(() => {
    endpoint.kill('SIGKILL')
  })
  const output = Promise.all([text(endpoint.stdout), text(endpoint.stderr)])
  const [port] = (await once(endpoint, 'message')) as [number]
  const url = `http://localhost:${port}/webhooks`
  for (const delivery of forged(SECRET)) expect(await send(url, delivery)).toBe(401)
  const deliveries = valid(SECRET, 'an_id')
  for (const delivery of [...deliveries, ...deliveries]) expect(await send(url, delivery)).toBe(204)

  const { rows } = await client.query<{ type: string }>('SELECT type FROM bookings ORDER BY id')
  expect(rows.map(({ type }) => type)).toEqual(TYPES)
  endpoint.kill('SIGKILL')
  const [stdout] = await output
  const printed = ['handled', 'duplicate'].flatMap((outcome) => TYPES.map((type) => `${outcome}: ${type}\n`))
  expect(stdout).toBe(printed.join(''))
})
