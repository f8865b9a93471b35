import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { mariadbProgram, startMariadb } from '@service-signature/contract/mariadb-server'
import { postgresPrograms, startPostgres } from '@service-signature/contract/postgres-server'
import { hasRedis, startRedis } from '@service-signature/contract/redis-server'
import { transactionEvent } from '@service-signature/core/testing'
import { startSandbox } from '@service-signature/sandbox'
import {
  constant,
  EXAMPLES,
  forged,
  pathOf,
  patternOf,
  SECRET,
  send,
  shownOutput,
  start,
  startReceiver,
  valid,
  type Delivery,
} from './support.js'

interface Endpoint {
  /** Standard output, line by line, after one delivery of each shape; `ID` is the id of its intent. */
  readonly prints: readonly (string | RegExp)[]
  /** Other lines that it logs, to either output. */
  readonly logs?: readonly RegExp[]
  /** The path of the deliveries, and their secret. Default: /webhooks and SECRET. */
  readonly paths?: Readonly<Record<string, string | undefined>>
  /** Whether it acknowledges a duplicate with 200 and does not handle it. */
  readonly handlesOnce?: boolean
  /** Whether it acknowledges a duplicate as it does the first, and prints that it is one. */
  readonly printsDuplicates?: boolean
  /** Whether it refuses an event that names no account, because it expects one. */
  readonly expectsAccount?: boolean
  readonly needsRedis?: boolean
  readonly needsPostgres?: boolean
  readonly needsMysql?: boolean
  /** A path that accepts unsigned requests. */
  readonly open?: string
}

const TYPES = ['transaction.purchase.successful', 'intent.processed', 'unrecognized']
const VERIFIED = TYPES.map((type) => `verified: ${type}`)
const BOOKED = ['handled', 'duplicate'].flatMap((outcome) => TYPES.map((type) => `${outcome}: ${type}`))
const FIRST_TIME = TYPES.map((type) => `for the first time: ${type}`)
const MISMATCH = /^(?:.* |.*")?ERR_SIGNATURE_MISMATCH The signature does not match/m
const MISSING = /^(?:.* |.*")?ERR_SIGNATURE_MISSING The /m
const UNHANDLED = /not handled: intent\.processed[^]*not handled: something\.new/
const WHOLE: Endpoint = { prints: ['paid: ID'], logs: [MISMATCH, MISSING, UNHANDLED], handlesOnce: true }
/** Marks a path whose secret comes from the payment service. */
const FETCHED = undefined

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'core/accounts.js': { prints: [], paths: { '/webhooks/berlin': FETCHED, '/webhooks/madrid': FETCHED } },
  'core/dispatcher.js': {
    prints: [/^ID: 50\.5 EUR paid, signed at 20\d\d-.*Z$/, 'ID: PROCESSED'],
    logs: [/^not handled: something\.new/m],
  },
  'core/own-adapter.js': { prints: VERIFIED },
  'core/fetch-secret.js': { prints: [], paths: { '/webhooks': FETCHED } },
  'core/quick-start.js': { prints: [], logs: [MISMATCH, MISSING] },
  'core/replay.js': { prints: TYPES.map((type) => `handling ${type}`), handlesOnce: true },
  'core/shared-cache.js': { prints: [], paths: { '/webhooks': FETCHED }, needsRedis: true },
  'express/endpoint.js': { ...WHOLE, prints: ['paid: ID 50.5'] },
  'express/explain.js': { prints: VERIFIED, logs: [/^ {2}failed {3}signature .* does not match/m, MISSING] },
  'express/fetch-secret.js': { prints: VERIFIED, paths: { '/webhooks': FETCHED } },
  'express/keep-raw-body.js': { prints: VERIFIED },
  'express/quick-start.js': { prints: VERIFIED },
  'express/typescript.ts': { prints: ['verified: ID'] },
  'fastify/endpoint.js': WHOLE,
  'fastify/marked-routes.js': { prints: VERIFIED, open: '/orders' },
  'fastify/quick-start.js': { prints: VERIFIED },
  'fastify/typescript.ts': { prints: ['verified: ID'] },
  'fetch/endpoint.js': WHOLE,
  'fetch/hono.js': { prints: VERIFIED },
  'fetch/next-route.js': { prints: VERIFIED.map((line) => `${line} at /webhooks`) },
  'fetch/worker.js': { prints: VERIFIED },
  'hapi/accounts.js': { prints: [], paths: { '/berlin': 'key_of_berlin', '/madrid': 'key_of_madrid' } },
  'hapi/endpoint.js': WHOLE,
  'hapi/quick-start.js': { prints: VERIFIED },
  'hapi/typescript.ts': { prints: ['verified: ID'] },
  'koa/body-parser.js': { prints: VERIFIED, open: '/orders' },
  'koa/endpoint.js': WHOLE,
  'koa/quick-start.js': { prints: VERIFIED },
  'koa/typescript.ts': { prints: ['verified: ID'] },
  'lambda/endpoint.js': { ...WHOLE, needsRedis: true },
  'lambda/quick-start.js': { prints: VERIFIED },
  'lambda/typescript.ts': { prints: [] },
  'mysql/endpoint.js': {
    prints: ['handled: ID', 'duplicate: ID'],
    logs: [MISMATCH, MISSING, UNHANDLED],
    printsDuplicates: true,
    needsMysql: true,
  },
  'mysql/quick-start.js': {
    prints: ['handled: ID', 'duplicate: ID'],
    printsDuplicates: true,
    needsMysql: true,
  },
  'node/h3.js': { prints: VERIFIED },
  'node/next-pages.js': { prints: VERIFIED },
  'node/quick-start.js': { prints: VERIFIED },
  'node/typescript.ts': { prints: ['verified: ID'] },
  'postgres/drizzle.js': { prints: BOOKED, printsDuplicates: true, needsPostgres: true },
  'postgres/kysely.js': { prints: BOOKED, printsDuplicates: true, needsPostgres: true },
  'postgres/pglite.js': { prints: BOOKED, printsDuplicates: true },
  'postgres/postgres-js.js': { prints: BOOKED, printsDuplicates: true, needsPostgres: true },
  'postgres/quick-start.js': {
    prints: ['handled: ID', 'duplicate: ID'],
    printsDuplicates: true,
    needsPostgres: true,
  },
  'queues/bullmq/endpoint.js': { prints: [], expectsAccount: true, needsRedis: true },
  'queues/graphile-worker/endpoint.js': { prints: [], expectsAccount: true, needsPostgres: true },
  'queues/pg-boss/endpoint.js': { prints: [], expectsAccount: true, needsPostgres: true },
  'recipes/error-handler.js': { prints: VERIFIED, open: '/orders' },
  'recipes/handlers-endpoint.ts': { prints: ['paid: ID 50.5 EUR'], logs: [UNHANDLED] },
  // The logger prints JSON.
  'recipes/logging.js': {
    prints: [],
    logs: [
      /"code":"ERR_SIGNATURE_MISMATCH","msg":"The signature does not match/,
      /"outcome":"refused","status":401,"code":"ERR_SIGNATURE_MISMATCH"/,
      /"outcome":"handled","status":204,"eventType":"transaction.purchase.successful"/,
      /"outcome":"unhandled","status":204,"eventType":"intent.processed"/,
      /"type":"intent.processed","msg":"not handled"/,
      /"type":"something.new","reason":"unknown-type","issues":.*"msg":"not handled"/,
    ],
  },
  'recipes/metrics.js': { prints: ['paid: ID'], logs: [UNHANDLED] },
  'recipes/migration-after.js': {
    prints: ['paid: ID'],
    logs: [/^not recognized: something\.new unknown-type$/m],
  },
  'recipes/migration-before.js': { prints: ['paid: ID'] },
  'recipes/rotation.js': { prints: VERIFIED },
  'recipes/store-failed.js': {
    prints: VERIFIED,
    logs: [/^Why: npx @service-signature\/cli explain --request /m],
  },
  'recipes/tenants.js': {
    prints: ['berlin', 'madrid'].flatMap((tenant) =>
      TYPES.slice(0, 2).map((type) => `verified: ${tenant} ${type}`),
    ),
    expectsAccount: true,
    paths: { '/webhooks/berlin': 'key_of_berlin', '/webhooks/madrid': 'key_of_madrid' },
  },
  'redis/node-redis.js': { prints: FIRST_TIME, handlesOnce: true, needsRedis: true },
  'redis/quick-start.js': { prints: FIRST_TIME, handlesOnce: true, needsRedis: true },
}

/** Programs that end by themselves, and their output: a pattern, or the page that shows it. */
const PROGRAMS: Readonly<Record<string, RegExp | string>> = {
  'audit/endpoint.test.js': /^# pass 1$/m,
  'core/sign.js': /^204$/,
  'core/signed-request.js': /^204$/,
  'explain/explain.js': 'packages/explain/README.md',
  'fastify/inject.test.js': /^# pass 2$/m,
  'hapi/inject.test.js': /^# pass 2$/m,
  'recipes/handlers.test.ts': /^# pass 2$/m,
  'sandbox/endpoint.test.js': /^# pass 1$/m,
  'sandbox/manual-clock.js': /^$/,
}

const TESTED_ELSEWHERE = [
  'core/expect.js', // by recipes.test.ts
  'cli/reserialized-body.js', // by the session of the CLI that audits it
  'recipes/handlers.ts', // by its endpoint and its own test
  'recipes/telemetry.js', // by recipes.test.ts, with an endpoint
  'dynamodb/lambda.js', // by packages/dynamodb, with a local DynamoDB
  'postgres/prune.js', // below, with a database
  'postgres/reconcile/book.js', // below, with both that call it
  'postgres/reconcile/endpoint.js',
  'postgres/reconcile/job.js',
  'postgres/transactions.ts', // by the compiler
  'queues/bookkeeping.js', // by the workers
  'queues/bullmq/worker.js', // by bullmq.test.ts, with its endpoint
  'queues/graphile-worker/worker.js', // by graphile-worker.test.ts
  'queues/pg-boss/worker.js', // by pg-boss.test.ts
  'queues/pg-boss/retry-failed.js', // by pg-boss.test.ts
  'sqlite/quick-start.js', // by packages/sqlite, which has the driver
  'sqlite/record.js',
  'core/own-store.js', // by packages/postgres, with the cases of replayStoreCases
  'redis/book.js', // below, with a database
  'redis/cluster.js', // by the drill in packages/redis that kills a master
  'sandbox/replay.test.js', // by the built tests of packages/sandbox, next to its recordings
  'redis/replace-silent.js', // by the tests of packages/redis with half-open connections
]

const isRedisThere = hasRedis()
const isPostgresThere = postgresPrograms() !== undefined
const isMysqlThere = mariadbProgram() !== undefined
const ends: (() => unknown)[] = []
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let env: Record<string, string>

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 1 })
  ends.push(sandbox.close)
  env = {
    PAYMENT_SERVICE_URL: sandbox.url,
    PAYMENT_API_KEY: sandbox.apiKeys.account,
    ...{ BERLIN_API_KEY: sandbox.apiKeys.account, BERLIN_SECRET: 'key_of_berlin' },
    ...{ MADRID_API_KEY: sandbox.apiKeys.account, MADRID_SECRET: 'key_of_madrid' },
    BERLIN_ACCOUNT: String(transactionEvent().account.id),
    MADRID_ACCOUNT: String(transactionEvent().account.id),
    ...{ PAYMENT_ACCOUNT: String(transactionEvent().account.id), PAYMENT_MODE: 'test' },
  }
  if (isRedisThere) {
    const redis = await startRedis()
    ends.push(redis.stop)
    env['REDIS_URL'] = redis.url
  }
  if (isPostgresThere) {
    const server = await startPostgres()
    ends.push(server.stop)
    env['DATABASE_URL'] = server.url
    await queryPostgres('CREATE TABLE bookings (type text)')
    await queryPostgres('CREATE TABLE payments (intent_id text PRIMARY KEY, amount numeric)')
  }
  if (isMysqlThere) {
    const server = await startMariadb()
    ends.push(server.stop)
    env['MYSQL_URL'] = server.url
    const connection = await mysql.createConnection(server.url)
    await connection.query('CREATE TABLE payments (intent_id VARCHAR(255), amount DECIMAL(20, 2))')
    await connection.query('CREATE TABLE balances (total DECIMAL(20, 2))')
    await connection.end()
  }
})
afterAll(async () => {
  for (const end of ends) await end()
})

it('every example is tested', () => {
  const tested = [...Object.keys({ ...ENDPOINTS, ...PROGRAMS }), ...TESTED_ELSEWHERE]
  expect(tested.sort()).toEqual(EXAMPLES)
})

it('the pages show the examples as they are, and no other JavaScript', () => {
  const args = [pathOf('tools/embed-examples.js'), '--check']
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})

it.concurrent.for(Object.entries(ENDPOINTS))(
  '%s handles valid deliveries, and refuses forged ones',
  async ([example, endpoint], { skip }) => {
    skip(endpoint.needsRedis === true && !isRedisThere, 'redis-server is not installed')
    skip(endpoint.needsPostgres === true && !isPostgresThere, 'PostgreSQL is not installed')
    skip(endpoint.needsMysql === true && !isMysqlThere, 'MariaDB is not installed')
    const program = start(example, env)
    const origin = `http://localhost:${await program.port()}`
    const id = randomUUID()
    const paths = Object.entries(endpoint.paths ?? { '/webhooks': SECRET })
    for (const [path, secret = sandbox.secret] of paths) {
      const others = paths.flatMap(([, other = secret]) => (other === secret ? [] : valid(other, id)))
      for (const delivery of [...forged(secret), ...others])
        expect(await send(origin + path, delivery)).toBe(401)
      const [transaction, intent, unrecognized] = valid(secret, id) as [Delivery, Delivery, Delivery]
      const deliveries = [transaction, intent, ...(endpoint.expectsAccount ? [] : [unrecognized])]
      if (endpoint.expectsAccount) expect(await send(origin + path, unrecognized)).toBe(403)
      for (const delivery of deliveries)
        expect([200, 202, 204]).toContain(await send(origin + path, delivery))
      if (endpoint.printsDuplicates === true) {
        for (const delivery of deliveries) expect(await send(origin + path, delivery)).toBe(204)
      }
      if (endpoint.handlesOnce !== true) continue
      for (const delivery of deliveries) expect(await send(origin + path, delivery)).toBe(200)
    }
    if (endpoint.open !== undefined) expect(await send(origin + endpoint.open, { body: '{}' })).toBe(200)

    for (const log of endpoint.logs ?? []) await program.prints(log)
    const { stdout, stderr } = await program.end()
    const output = (stdout + stderr).replaceAll(id, 'ID')
    expect(output).not.toContain('id_of_a_forgery')
    for (const log of endpoint.logs ?? []) expect(output).toMatch(log)
    // The logger of Fastify prints JSON.
    const lines = stdout.replaceAll(id, 'ID').match(/^[^{\n].*$/gm) ?? []
    expect(lines).toEqual(
      endpoint.prints.map((line) =>
        typeof line === 'string' ? line : (expect.stringMatching(line) as unknown),
      ),
    )
  },
)

/** The warnings of programs that send forgeries to an endpoint without `onRejected`. */
const WARNINGS =
  /^\(node:\d+\) ServiceSignatureWarning: The delivery was refused: .*\n.*"onRejected"\.\n(?:\(Use .*\n)?/gm

it.concurrent.for(Object.entries(PROGRAMS))(
  '%s runs to its end and prints what it should',
  async ([example, expected]) => {
    const receiver = await startReceiver()
    const { code, stdout, stderr } = await start(example, { ...env, PORT: receiver.port }).ended
    receiver.server.close()
    expect({ code, stderr: stderr.replace(WARNINGS, '') }).toEqual({ code: 0, stderr: '' })
    const pattern = typeof expected === 'string' ? patternOf(shownOutput(expected, example)) : expected
    expect(constant(stdout)).toMatch(pattern)
    const isSender = stdout === '204\n'
    expect(receiver.received).toEqual(isSender ? [true] : [])
  },
)

it('postgres/prune.js deletes old keys', async ({ skip }) => {
  skip(!isPostgresThere, 'PostgreSQL is not installed')
  const schema = readFileSync(pathOf('packages/postgres/schema.sql'), 'utf8')
  await queryPostgres(schema)
  await queryPostgres(`INSERT INTO service_signature_inbox VALUES ('old', now() - interval '31 days')`)
  const { code, stdout, stderr } = await start('postgres/prune.js', env).ended
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '1 old keys deleted\n', stderr: '' })
})

it('postgres/reconcile books what never came, and nothing twice', async ({ skip }) => {
  skip(!isPostgresThere, 'PostgreSQL is not installed')
  const service = await startSandbox({ seed: 2 })
  onTestFinished(() => service.close())
  const serviceEnv = {
    ...env,
    PAYMENT_SERVICE_URL: service.url,
    PAYMENT_API_KEY: service.apiKeys.account,
  }
  const endpoint = start('postgres/reconcile/endpoint.js', serviceEnv)
  const webhook_url = `http://localhost:${await endpoint.port()}/webhooks`
  const call = async (method: string, path: string, body: object) => {
    const headers = { 'X-Api-Key': service.apiKeys.account, 'Content-Type': 'application/json' }
    const response = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) })
    expect(response.ok).toBe(true)
    return (await response.json()) as { data: { id: string } }
  }
  await call('PUT', '/_sandbox/faults/', { deliveries: { lost: true }, chance: 0.3 })
  const ids: string[] = []
  for (let amount = 1; amount <= 120; amount++) {
    const { data } = await call('POST', '/api/v1.4/payments/intent/', {
      ...{ amount, amount_currency: 'EUR', webhook_url },
    })
    ids.push(data.id)
    await call('POST', `/_sandbox/intents/${data.id}/pay/`, { card: '4242424242424242' })
  }
  await service.drained()
  const { stdout } = await endpoint.end()
  const came = stdout.match(/^booked: /gm)!.length
  expect(came).toBeGreaterThan(60)
  expect(came).toBeLessThan(120)
  for (const missing of [120 - came, 0]) {
    const { code, stdout, stderr } = await start('postgres/reconcile/job.js', serviceEnv).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.match(/^booked: \S+, whose webhook never came$/gm) ?? []).toHaveLength(missing)
    expect(stdout).toMatch(new RegExp(`^120 paid intents, of which ${missing} were missing$`, 'm'))
  }
  const booked = await queryPostgres('SELECT intent_id FROM payments')
  const own = booked.map(({ intent_id: id }) => id as string).filter((id) => ids.includes(id))
  expect(own.sort()).toEqual(ids.sort())
})

async function queryPostgres(text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(env['DATABASE_URL'])
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(text)
  await client.end()
  return rows
}

it.each([
  ['books a new event', { rowCount: 1 }, ['BEGIN', 'INSERT INTO', 'UPDATE', 'COMMIT']],
  ['does not book an event twice', { rowCount: 0 }, ['BEGIN', 'INSERT INTO', 'COMMIT']],
  ['pays no order for another event', { rowCount: 1 }, ['BEGIN', 'INSERT INTO', 'COMMIT'], 'transaction.purchase.failed'],
  ['rolls back when the database fails', undefined, ['BEGIN', 'INSERT INTO', 'ROLLBACK', 'Error: no disk']],
])('redis/book.js %s', async (_, inserted, expected, type = 'transaction.purchase.successful') => {
  /** The first words of each statement, or the error. */
  const made: string[] = []
  const db = {
    query(text: string, values?: unknown[]) {
      made.push(/^(?:\w+ INTO|\w+)/.exec(text)![0])
      expect(values?.length).toBe(text.match(/\$\d/g)?.length)
      if (!text.startsWith('INSERT')) return Promise.resolve({ rowCount: 1 })
      return inserted === undefined ? Promise.reject(new Error('no disk')) : Promise.resolve(inserted)
    },
  }
  type Book = (db: object, event: { type: string; payload: object }) => Promise<void>
  const { book } = (await import(String(new URL('../redis/book.js', import.meta.url)))) as { book: Book }
  const payload = transactionEvent({ type: type as 'transaction.purchase.successful' })
  await book(db, { type: payload.type, payload }).catch((error: unknown) => {
    made.push(String(error))
  })
  expect(made).toEqual(expected)
})
