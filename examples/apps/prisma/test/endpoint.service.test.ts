import { startPostgres } from '@service-signature/contract/postgres-server'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { forged, pathOf, SECRET, send, spawnNode, valid } from '../../../test/support.js'
import { isMissing } from '@service-signature/contract/services'

const folder = pathOf('examples/apps/prisma')

it.skipIf(isMissing('postgres'))('books each payment once, in a transaction of Prisma', async () => {
  const prisma = `${folder}/../node_modules/prisma/build/index.js`
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
  await client.query('CREATE TABLE payments (intent_id text PRIMARY KEY, amount numeric)')

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

  const { rows } = await client.query('SELECT intent_id, amount::float FROM payments')
  expect(rows).toEqual([{ intent_id: 'an_id', amount: 50.5 }])
  endpoint.kill('SIGKILL')
  const [stdout] = await output
  expect(stdout).toBe('handled: an_id\nduplicate: an_id\n')
})
