import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startMariadb } from '@service-signature/contract/mariadb-server'
import { startPostgres } from '@service-signature/contract/postgres-server'
import { startRedis } from '@service-signature/contract/redis-server'
import { isMissing } from '@service-signature/contract/services'
import { intentEvent } from '@service-signature/core/testing'
import { startSandbox, type AttemptReport, type Sandbox } from '@service-signature/sandbox'
import {
  constant,
  EXAMPLES,
  folder,
  forged,
  installed,
  names,
  PAGES,
  pagesOf,
  pathOf,
  patternOf,
  projectOf,
  readPage,
  send,
  shownOutput,
  spawnNode,
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
  /** The path of the deliveries, and their secret. Default: /webhooks and the secret of the sandbox, which then sends some, too. */
  readonly paths?: Readonly<Record<string, string | undefined>>
  /** Whether it acknowledges a duplicate with 200 and does not handle it. */
  readonly handlesOnce?: boolean
  /** Whether it acknowledges a duplicate as it does the first, and prints that it is one. */
  readonly printsDuplicates?: boolean
  /** Whether it refuses an event that names no account, because it expects one. */
  readonly expectsAccount?: boolean
  /** Where it books a payment: in the table that its page, or this one, creates. */
  readonly books?: { readonly in: keyof typeof BOOKS; readonly page?: string }
  readonly needs?: keyof typeof SERVERS
  /** A path that accepts unsigned requests. */
  readonly open?: string
}

const TYPES = ['transaction.purchase.successful', 'intent.processed', 'unrecognized']
const VERIFIED = TYPES.map((type) => `verified: ${type}`)
/** It books one event of a payment, and the duplicate of none. */
const BOOKED = {
  prints: ['handled: ID', 'duplicate: ID'],
  logs: [/^not handled: transaction\.purchase\.successful$/m],
  printsDuplicates: true,
} as const
const FIRST_TIME = TYPES.map((type) => `for the first time: ${type}`)
const MISMATCH = /^(?:.* |.*")?ERR_SIGNATURE_MISMATCH The signature does not match/m
const MISSING = /^(?:.* |.*")?ERR_SIGNATURE_MISSING The /m
const UNHANDLED = /not handled: transaction\.purchase\.successful[^]*not handled: something\.new/
const WHOLE: Endpoint = { prints: ['paid: ID'], logs: [MISMATCH, MISSING, UNHANDLED], handlesOnce: true }
/** Marks a path whose secret comes from the payment service. */
const FETCHED = undefined

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'core/accounts.js': { prints: [], paths: { '/webhooks/berlin': FETCHED, '/webhooks/madrid': FETCHED } },
  'core/dispatcher.js': {
    prints: ['ID: purchase.successful', /^ID: PROCESSED, 50\.5 EUR, signed at 20\d\d-.*Z$/],
    logs: [/^not handled: something\.new/m],
  },
  'core/own-adapter.js': { prints: VERIFIED },
  'core/fetch-secret.js': { prints: [], paths: { '/webhooks': FETCHED } },
  'core/quick-start.js': { prints: [], logs: [MISMATCH, MISSING] },
  'core/replay.js': { prints: TYPES.map((type) => `handling ${type}`), handlesOnce: true },
  'core/shared-cache.js': { prints: [], paths: { '/webhooks': FETCHED }, needs: 'redis' },
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
  'lambda/endpoint.js': { ...WHOLE, needs: 'redis' },
  'lambda/quick-start.js': { prints: VERIFIED },
  'lambda/typescript.ts': { prints: [] },
  'mysql/endpoint.js': {
    ...BOOKED,
    logs: [MISMATCH, MISSING, /not handled: transaction\.purchase\.successful/],
    expectsAccount: true,
    books: { in: 'mysql', page: 'packages/mysql/README.md' },
  },
  'mysql/quick-start.js': { ...BOOKED, books: { in: 'mysql' } },
  'apps/nest/src/main-express.ts': { prints: [], logs: [/paid: /] },
  'node/h3.js': { prints: VERIFIED },
  'node/next-pages.js': { prints: VERIFIED },
  'node/quick-start.js': { prints: VERIFIED },
  'node/typescript.ts': { prints: ['verified: ID'] },
  'postgres/drizzle.js': { ...BOOKED, books: { in: 'postgres', page: 'packages/postgres/README.md' } },
  'postgres/kysely.js': { ...BOOKED, books: { in: 'postgres', page: 'packages/postgres/README.md' } },
  'postgres/pglite.js': BOOKED,
  'postgres/postgres-js.js': { ...BOOKED, books: { in: 'postgres', page: 'packages/postgres/README.md' } },
  'postgres/reconcile/endpoint.js': {
    prints: ['booked: ID'],
    printsDuplicates: true,
    expectsAccount: true,
    books: { in: 'postgres', page: 'docs/reconcile.md' },
  },
  'postgres/quick-start.js': { ...BOOKED, books: { in: 'postgres' } },
  'queues/bullmq/endpoint.js': { prints: [], expectsAccount: true, needs: 'redis' },
  'queues/graphile-worker/endpoint.js': { prints: [], expectsAccount: true, needs: 'postgres' },
  'queues/pg-boss/endpoint.js': { prints: [], expectsAccount: true, needs: 'postgres' },
  'recipes/error-handler.js': { prints: VERIFIED, open: '/orders' },
  'recipes/handlers-endpoint.ts': { prints: ['paid: ID 50.5 EUR'], logs: [UNHANDLED] },
  // The logger prints JSON.
  'recipes/logging.js': {
    prints: [],
    logs: [
      /"code":"ERR_SIGNATURE_MISMATCH","msg":"The signature does not match/,
      /"outcome":"refused","status":401,"code":"ERR_SIGNATURE_MISMATCH"/,
      /"outcome":"handled","status":204,"eventType":"intent.processed"/,
      /"outcome":"unhandled","status":204,"eventType":"transaction.purchase.successful"/,
      /"type":"transaction.purchase.successful","msg":"not handled"/,
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
  'recipes/tenants.js': {
    prints: ['berlin', 'madrid'].flatMap((tenant) =>
      TYPES.slice(0, 2).map((type) => `verified: ${tenant} ${type}`),
    ),
    expectsAccount: true,
    paths: { '/webhooks/berlin': 'key_of_berlin', '/webhooks/madrid': 'key_of_madrid' },
  },
  'redis/node-redis.js': { prints: FIRST_TIME, handlesOnce: true, needs: 'redis' },
  'redis/quick-start.js': { prints: FIRST_TIME, handlesOnce: true, needs: 'redis' },
  'sqlite/quick-start.js': { ...BOOKED, books: { in: 'sqlite' } },
  'sqlite/record.js': { ...BOOKED, books: { in: 'sqlite', page: 'packages/sqlite/README.md' } },
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
  'postgres/reconcile/job.js',
  'postgres/transactions.ts', // by the compiler
  'queues/bookkeeping.js', // by the workers
  'queues/bullmq/worker.js', // by bullmq.test.ts, with its endpoint
  'queues/graphile-worker/worker.js', // by graphile-worker.test.ts
  'queues/pg-boss/worker.js', // by pg-boss.test.ts
  'queues/pg-boss/retry-failed.js', // by pg-boss.test.ts
  'core/own-store.js', // by packages/postgres, with the cases of replayStoreCases
  'redis/book.js', // below, with a database
  'redis/cluster.js', // by the drill in packages/redis that kills a master
  'sandbox/replay.test.js', // by the built tests of sandbox, next to its recordings
  'redis/replace-silent.js', // by the tests of packages/redis with half-open connections
]

/** Blocks that cannot run from their page alone, and why. */
const NOT_ALONE: Readonly<Record<string, string>> = {
  'cloudflare/d1/worker.js': 'runs in workerd: by packages/cloudflare',
  'core/expect.js': 'needs an order: by recipes.test.ts',
  'dynamodb/lambda.js': 'needs DynamoDB: by packages/dynamodb',
  'jest/sandbox-setup.mjs': 'Jest calls it: by tools/consumers',
  'redis/replace-silent.js': 'a function: by packages/redis',
}

/** Parts of programs above that a page shows as further files. */
const FURTHER_FILES = [
  'postgres/reconcile/book.js',
  'apps/nest/src/app.module.ts',
  'apps/nest/src/payments.service.ts',
  'recipes/handlers.ts',
]

const SERVERS = {
  redis: { name: 'redis-server', isThere: !isMissing('redis'), start: startRedis, variable: 'REDIS_URL' },
  postgres: {
    name: 'PostgreSQL',
    isThere: !isMissing('postgres'),
    start: () => startPostgres(),
    variable: 'DATABASE_URL',
  },
  mysql: {
    name: 'MariaDB',
    isThere: !isMissing('mariadb'),
    start: () => startMariadb(),
    variable: 'MYSQL_URL',
  },
  sqlite: { name: 'better-sqlite3', isThere: !isMissing('better-sqlite3') },
} as const

const ends: (() => unknown)[] = []
const attempts: AttemptReport[] = []
let sandbox: Sandbox
let env: Record<string, string>

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 1, timeScale: 1000, onAttempt: (attempt) => attempts.push(attempt) })
  ends.push(sandbox.close)
  env = {
    WEBHOOK_SECRET: sandbox.secret,
    PAYMENT_SERVICE_URL: sandbox.url,
    PAYMENT_API_KEY: sandbox.apiKeys.account,
    ...{ PAYMENT_ACCOUNT: sandbox.accountId, PAYMENT_MODE: 'test' },
    ...{ BERLIN_API_KEY: sandbox.apiKeys.account, BERLIN_SECRET: 'key_of_berlin' },
    ...{ MADRID_API_KEY: sandbox.apiKeys.account, MADRID_SECRET: 'key_of_madrid' },
    ...{ BERLIN_ACCOUNT: sandbox.accountId, MADRID_ACCOUNT: sandbox.accountId },
  }
  for (const server of Object.values(SERVERS)) {
    if (!('start' in server) || !server.isThere) continue
    const { url, stop } = await server.start()
    ends.push(stop)
    env[server.variable] = url
  }
})
afterAll(async () => {
  for (const end of ends) await end()
})

/** The statements by which a page, or a comment of a program, says to create tables. */
function tablesOf(...files: readonly string[]): string[] {
  const text = files.map(readPage).join('\n')
  return [...text.matchAll(/CREATE TABLE \w+ \((?:[^()`]|\([^()]*\))*\)/g)].map(([statement]) => statement)
}

/** A database for one program: its environment, and how often a payment is booked in it. */
const BOOKS = {
  async postgres(name: string, tables: readonly string[]) {
    await queryPostgres(env['DATABASE_URL']!, [`CREATE DATABASE "${name}"`])
    const url = String(new URL(`/${name}`, env['DATABASE_URL']))
    await queryPostgres(url, tables)
    const booked = async () => idsOf(await queryPostgres(url, ['SELECT intent_id FROM payments']))
    return { env: { DATABASE_URL: url }, booked }
  },
  async mysql(name: string, tables: readonly string[]) {
    await queryMysql(env['MYSQL_URL']!, [`CREATE DATABASE \`${name}\``])
    const url = String(new URL(`/${name}`, env['MYSQL_URL']))
    await queryMysql(url, tables)
    return {
      env: { MYSQL_URL: url },
      booked: async () => idsOf(await queryMysql(url, ['SELECT intent_id FROM payments'])),
    }
  },
  sqlite(_name: string, _tables: readonly string[], project: string) {
    const Database = createRequire(import.meta.url)(installed('better-sqlite3')!) as SqliteDriver
    const booked = () =>
      idsOf(new Database(join(project, 'shop.db')).prepare('SELECT intent_id FROM payments').all())
    return Promise.resolve({ env: {}, booked: () => Promise.resolve(booked()) })
  },
}

type Rows = readonly Record<string, unknown>[]
type SqliteDriver = new (file: string) => { readonly prepare: (text: string) => { readonly all: () => Rows } }

const idsOf = (rows: Rows) => rows.map(({ intent_id: id }) => String(id))

async function queryPostgres(url: string, statements: readonly string[]): Promise<Rows> {
  const client = new pg.Client(url)
  await client.connect()
  let rows: Rows = []
  for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement))
  await client.end()
  return rows
}

async function queryMysql(url: string, statements: readonly string[]): Promise<Rows> {
  const connection = await mysql.createConnection(url)
  let rows: unknown = []
  for (const statement of statements) [rows] = await connection.query(statement)
  await connection.end()
  return rows as Rows
}

async function call(service: Sandbox, method: string, path: string, body: object) {
  const headers = { 'X-Api-Key': service.apiKeys.account, 'Content-Type': 'application/json' }
  const response = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  expect(response.ok, text).toBe(true)
  return JSON.parse(text) as { data: { id: string } }
}

/** Makes an intent that is paid, whose two events are sent. Resolves to its id. */
async function pay(service: Sandbox, webhook_url?: string, amount = 50.5): Promise<string> {
  const { data } = await call(service, 'POST', '/api/v1.4/payments/intent/', {
    amount,
    amount_currency: 'EUR',
    webhook_url,
  })
  await call(service, 'POST', `/_sandbox/intents/${data.id}/pay/`, { card: '4242424242424242' })
  return data.id
}

/** Sends an event of an intent that no payment sends. */
async function compose(
  service: Sandbox,
  url: string,
  intent: { id: string; status?: string; account?: string; is_live?: boolean },
) {
  const payload = intentEvent({
    data: { intent_id: intent.id, intent: { account: service.accountId, ...intent } },
  })
  await call(service, 'POST', '/_sandbox/compose/', { url, payload, retries: false })
}

it('every example is tested', () => {
  const tested = [...Object.keys({ ...ENDPOINTS, ...PROGRAMS }), ...TESTED_ELSEWHERE]
  expect(tested.filter((example) => !example.startsWith('apps/')).sort()).toEqual(EXAMPLES)
})

it('every program of a page runs from the page alone', () => {
  const started = [
    ...Object.keys({ ...ENDPOINTS, ...PROGRAMS, ...NOT_ALONE }),
    ...FURTHER_FILES,
    'postgres/reconcile/job.js',
  ]
  const faults = [...PAGES].flatMap(([page, blocks]) => {
    const prose = readPage(page).replaceAll(/^```[^]*?^```$|<!--.*-->/gm, '')
    return blocks.flatMap(({ example, region, code }) => {
      const imported = [...code.matchAll(/ from '\.\.?\/(?:.*\/)?(.+)\.js'$/gm)].map(([, file]) => file!)
      return [
        ...(region === undefined && !started.includes(example)
          ? [`${page} shows ${example}, which is not tested`]
          : []),
        ...(region !== undefined && !prose.includes(`/examples/${example})`)
          ? [`${page} shows a part of ${example} without a link to the program`]
          : []),
        ...imported
          .filter((file) => !prose.includes(`${file}.`))
          .map((file) => `${page} does not name the file ${file} that ${example} imports`),
      ]
    })
  })
  expect(faults).toEqual([])
})

/** The environment variables that an example needs, besides the secret that core checks. */
function variablesOf(example: string): string[] {
  const code = readPage(`examples/${example}`)
  const destructured = [...code.matchAll(/^const \{ (.+) \} = process\.env$/gm)].flatMap(([, list]) =>
    list!.split(', '),
  )
  const read = [...code.matchAll(/process\.env(?:\.(\w+)|\['(\w+)'\])(?!\w| \?\?)/g)].map(
    (match) => (match[1] ?? match[2])!,
  )
  const needed = destructured.filter((item) => !item.includes(' = ')).map((item) => item.replace(/:.*/, ''))
  return [...needed, ...read].filter((name) => !['WEBHOOK_SECRET', 'WEBHOOK_SECRET_PREVIOUS'].includes(name))
}

const NEEDING = EXAMPLES.filter((example) => variablesOf(example).length > 0)
const VARIABLES = Object.fromEntries(NEEDING.flatMap(variablesOf).map((name) => [name, 'http://127.0.0.1:1']))

it.each(NEEDING)(
  'each variable that %s needs is named in a page that shows it, or links to it',
  (example) => {
    const pages = [...PAGES.keys()].filter((page) => readPage(page).includes(`examples/${example}`))
    for (const name of variablesOf(example))
      expect(
        pages.filter((page) => names(page, name)),
        name,
      ).not.toEqual([])
  },
)

it.concurrent.for(NEEDING)('%s ends at its start if a variable is missing', async (example) => {
  for (const missing of variablesOf(example)) {
    const others = Object.fromEntries(Object.entries(VARIABLES).filter(([name]) => name !== missing))
    const { code, stdout, stderr } = await start(example, others).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^Error: Set .*\\b${missing}\\b`, 'm'))
  }
})

it('the pages show the examples as they are, and no other JavaScript', () => {
  const args = [pathOf('tools/generate/run.js'), '--check', 'embed']
  expect(spawnSync(process.execPath, args, { cwd: pathOf('.'), encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
})

const FROM_PAGES = Object.entries(ENDPOINTS).flatMap(([example, endpoint]) => {
  const pages = pagesOf(example)
  return (pages.length === 0 ? [undefined] : pages).map((page) => ({
    example,
    endpoint,
    page,
    from: page ?? 'examples',
  }))
})

it.concurrent.for(FROM_PAGES)(
  '$example from $from handles valid deliveries, books each payment once, and refuses forged ones',
  async ({ example, endpoint, page, from }, { skip }) => {
    const { books, needs = books?.in } = endpoint
    if (needs !== undefined) skip(!SERVERS[needs].isThere, `${SERVERS[needs].name} is not installed`)
    const tables = books && tablesOf(books.page ?? from, `examples/${example}`)
    const database =
      books && (await BOOKS[books.in](randomUUID(), tables!, page === undefined ? folder : projectOf(page)))
    const program = start(example, { ...env, ...database?.env }, { page })
    const port = await program.port()
    const origin = `http://localhost:${port}`
    const id = randomUUID()
    const paths = Object.entries(endpoint.paths ?? { '/webhooks': undefined })
    for (const [path, secret = sandbox.secret] of paths) {
      const others = paths.flatMap(([, other = secret]) => (other === secret ? [] : valid(other, id)))
      for (const delivery of [...forged(secret), ...others])
        expect(await send(origin + path, delivery)).toBe(401)
      const account = endpoint.expectsAccount ? sandbox.accountId : undefined
      const [transaction, intent, unrecognized] = valid(secret, id, account) as [Delivery, Delivery, Delivery]
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

    // As the service sends them: both events of a payment, and of intents that are not paid.
    let paid: string | undefined
    if (endpoint.paths === undefined) {
      const url = `http://127.0.0.1:${port}/webhooks`
      paid = await pay(sandbox, url)
      for (const status of ['FAILED', 'REFUNDED']) await compose(sandbox, url, { id: randomUUID(), status })
      await sandbox.drained()
      const answers = attempts.filter((attempt) => attempt.url === url)
      expect(answers.map(({ type }) => type).sort()).toEqual([...Array<string>(3).fill(TYPES[1]!), TYPES[0]])
      for (const { answer } of answers) expect([200, 202, 204]).toContain(answer?.status)
    }

    const { stdout, stderr } = await program.end()
    const output = (stdout + stderr).replaceAll(id, 'ID')
    expect(output).not.toContain('id_of_a_forgery')
    // A program expects each event that it does not book.
    expect(output).not.toContain('The dispatcher has no handler')
    for (const log of endpoint.logs ?? []) expect(output).toMatch(log)
    // The logger of Fastify prints JSON.
    const lines = stdout.replaceAll(id, 'ID').match(/^[^{\n].*$/gm) ?? []
    // What it prints about the deliveries of the sandbox comes after these lines.
    expect(lines.slice(0, endpoint.prints.length)).toEqual(
      endpoint.prints.map((line) =>
        typeof line === 'string' ? line : (expect.stringMatching(line) as unknown),
      ),
    )
    if (database !== undefined) expect((await database.booked()).sort()).toEqual([id, paid!].sort())
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

it('postgres/postgres-js.js asks for no types while it connects, and ends idle transactions', async ({
  skip,
}) => {
  skip(!SERVERS.postgres.isThere, 'PostgreSQL is not installed')
  const database = await BOOKS.postgres(randomUUID(), [])
  let sent = ''
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(database.env.DATABASE_URL).port), '127.0.0.1')
    client.on('data', (data) => (sent += String(data)))
    for (const side of [client, server]) side.on('error', () => side.destroy())
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const url = new URL(database.env.DATABASE_URL)
  url.port = String((proxy.address() as AddressInfo).port)
  const program = start('postgres/postgres-js.js', { ...env, DATABASE_URL: String(url) })
  await program.port()
  await program.end()
  // The rejection of that query is not handled, so a connection that is lost meanwhile ends the process.
  expect(sent).not.toContain('typarray')
  expect(sent).toMatch(/idle_in_transaction_session_timeout\0[1-9]\d*\0/)
})

it('postgres/prune.js deletes old keys', async ({ skip }) => {
  skip(!SERVERS.postgres.isThere, 'PostgreSQL is not installed')
  const old = `INSERT INTO service_signature_inbox VALUES ('old', now() - interval '31 days')`
  const database = await BOOKS.postgres(randomUUID(), [readPage('packages/postgres/schema.sql'), old])
  const { code, stdout, stderr } = await start('postgres/prune.js', database.env).ended
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '1 old keys deleted\n', stderr: '' })
})

it('postgres/reconcile books what never came, and nothing twice', async ({ skip }) => {
  skip(!SERVERS.postgres.isThere, 'PostgreSQL is not installed')
  const service = await startSandbox({ seed: 2 })
  onTestFinished(() => service.close())
  const database = await BOOKS.postgres(randomUUID(), tablesOf('docs/reconcile.md'))
  const serviceEnv = {
    ...env,
    ...database.env,
    PAYMENT_SERVICE_URL: service.url,
    PAYMENT_API_KEY: service.apiKeys.account,
    PAYMENT_ACCOUNT: service.accountId,
  }
  const endpoint = start('postgres/reconcile/endpoint.js', serviceEnv)
  const url = `http://localhost:${await endpoint.port()}/webhooks`
  await call(service, 'PUT', '/_sandbox/faults/', { deliveries: { lost: true }, chance: 0.3 })
  const ids: string[] = []
  for (let amount = 1; amount <= 120; amount++) ids.push(await pay(service, url, amount))
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
  expect((await database.booked()).sort()).toEqual(ids.sort())
})

it('postgres/reconcile/endpoint.js refuses what is of another account or mode', async ({ skip }) => {
  skip(!SERVERS.postgres.isThere, 'PostgreSQL is not installed')
  const database = await BOOKS.postgres(randomUUID(), tablesOf('docs/reconcile.md'))
  const endpoint = start('postgres/reconcile/endpoint.js', { ...env, ...database.env })
  const url = `http://127.0.0.1:${await endpoint.port()}/webhooks`
  await compose(sandbox, url, { id: 'int_of_another', account: 'acc_of_another' })
  await compose(sandbox, url, { id: 'int_live', is_live: true })
  await sandbox.drained()
  const answers = attempts.filter((attempt) => attempt.url === url)
  expect(answers.map(({ answer }) => answer?.status)).toEqual([403, 403])
  expect(await database.booked()).toEqual([])
  await endpoint.end()
})

it.each([
  ['skips what a webhook is booking right now', 'ERR_DELIVERY_IN_PROGRESS', 0],
  ['ends with an error if the database fails', 'ERR_REPLAY_STORE_UNAVAILABLE', 1],
])('postgres/reconcile/job.js %s', async (_, refusal, expected) => {
  const service = await startSandbox({ seed: 3 })
  onTestFinished(() => service.close())
  const [refused, other] = [await pay(service), await pay(service)]
  // The job of the page, with a book.js that refuses one of both.
  const cwd = mkdtempSync(join(folder, 'job-'))
  cpSync(join(projectOf('docs/reconcile.md'), 'reconcile/job.js'), join(cwd, 'job.js'))
  writeFileSync(
    join(cwd, 'book.js'),
    `import { WebhookError } from '@service-signature/core'
    export const inbox = { migrate: async () => undefined }
    export const pool = { end: async () => undefined }
    export async function book({ id }) {
      if (id === '${refused}') throw new WebhookError('${refusal}')
      return true
    }`,
  )
  const job = spawnNode([join(cwd, 'job.js')], {
    ...{ PAYMENT_SERVICE_URL: service.url, PAYMENT_API_KEY: service.apiKeys.account, PAYMENT_MODE: 'test' },
  })
  const [stdout, stderr] = await Promise.all([text(job.stdout), text(job.stderr), once(job, 'close')])
  expect(job.exitCode).toBe(expected)
  expect(stdout).toContain(`booked: ${other}, whose webhook never came\n`)
  if (expected === 0) expect(stdout).toMatch(/^2 paid intents, of which 1 were missing$/m)
  else expect(stderr).toContain(refusal)
})

it('postgres/reconcile/job.js books nothing with an API key of the other mode', async ({ skip }) => {
  skip(!SERVERS.postgres.isThere, 'PostgreSQL is not installed')
  await pay(sandbox)
  const database = await BOOKS.postgres(randomUUID(), tablesOf('docs/reconcile.md'))
  const job = start('postgres/reconcile/job.js', { ...env, ...database.env, PAYMENT_MODE: 'live' })
  const { code, stderr } = await job.ended
  expect(code).toBe(1)
  expect(stderr).toContain('PAYMENT_API_KEY is of the other mode')
  expect(await database.booked()).toEqual([])
})

it.each([
  ['books a paid intent', { rowCount: 1 }, ['BEGIN', 'INSERT INTO', 'UPDATE', 'COMMIT']],
  ['does not book an intent twice', { rowCount: 0 }, ['BEGIN', 'INSERT INTO', 'COMMIT']],
  ['books no intent with another status', { rowCount: 1 }, [], 'FAILED'],
  ['rolls back when the database fails', undefined, ['BEGIN', 'INSERT INTO', 'ROLLBACK', 'Error: no disk']],
])('redis/book.js %s', async (_, inserted, expected, status = 'PROCESSED') => {
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
  type Book = (db: object, intent: object) => Promise<void>
  const { book } = (await import(String(new URL('../redis/book.js', import.meta.url)))) as { book: Book }
  const { intent } = intentEvent({ data: { intent: { status } } }).data
  await book(db, intent).catch((error: unknown) => {
    made.push(String(error))
  })
  expect(made).toEqual(expected)
})
