import {
  inboxCases,
  newWebhook,
  open,
  sentAgain,
  waitingCases,
} from '@service-signature/contract/inbox-cases'
import type { PoolOptions } from 'mysql2'
import { describe, expect, it, vi } from 'vitest'
import { statementsFor } from '../src/statements.js'
import { POOLS, useServer } from './support/server.js'
import { isMissing } from '@service-signature/contract/services'

const { connect, database, name, isWaiting } = useServer()

describe.skipIf(isMissing('mariadb')).each(POOLS)('with a pool of %s', (kind) => {
  inboxCases(database(kind))
  waitingCases(database(kind), { isWaiting })
})

describe.skipIf(isMissing('mariadb')).each([
  [
    'settings of mysql2 that change its answers',
    { rowsAsArray: true, bigNumberStrings: true, supportBigNumbers: true },
  ],
  [
    'settings of mysql2 that change its values',
    { dateStrings: true, namedPlaceholders: true, flags: ['-FOUND_ROWS'] },
  ],
])('with %s', (_what, options) => {
  it('handles a delivery once, and is a replay store', async () => {
    const { inbox: makeInbox } = connect(options)
    const inbox = makeInbox({ table: name('inbox') })
    await inbox.migrate()
    const key = `it's ? :name \\`
    expect((await inbox.once(key, () => 1)).outcome).toBe('handled')
    expect((await inbox.once(key, () => 1)).outcome).toBe('duplicate')
    expect((await inbox.claim('another')).status).toBe('new')
    expect((await inbox.claim('another')).status).toBe('in-progress')
    expect((await inbox.claim(key)).status).toBe('done')
    const handler = vi.fn()
    const inProgress = { code: 'ERR_DELIVERY_IN_PROGRESS', status: 409 }
    await expect(inbox.once('another', handler)).rejects.toMatchObject(inProgress)
    expect(handler).not.toHaveBeenCalled()
  })
})

const LEVELS = ['READ UNCOMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE']

describe.skipIf(isMissing('mariadb')).each(LEVELS)('under the isolation level %s', (level) => {
  const settings = [
    `transaction_isolation = '${level.replace(' ', '-')}'`,
    'innodb_lock_wait_timeout = 33',
    'lock_wait_timeout = 44',
    `sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,SIMULTANEOUS_ASSIGNMENT'`,
  ]

  it.each([0, 1])('handles each of 20 equal deliveries once, with autocommit = %i', async (autocommit) => {
    const { book, booked, table } = await open(database(POOLS[0]))
    const { inbox: makeInbox, pool } = connect({ connectionLimit: 20 })
    const set = `SET ${[...settings, `autocommit = ${autocommit}`].join(', ').replace('transaction_', 'tx_')}`
    pool.pool.on('connection', (connection) => {
      connection.query(set)
    })
    const webhook = newWebhook()
    const all = Array.from({ length: 20 }, () =>
      makeInbox({ table }).handle(sentAgain(webhook), (client) => book(client)),
    )
    const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual([...Array<string>(19).fill('duplicate'), 'handled'])
    expect(await booked()).toEqual(['a payment'])
  })

  it.each([0, 1])(
    'works as a replay store, and returns the session as it was, with autocommit = %i',
    async (autocommit) => {
      const { table, booked, book } = await open(database(POOLS[0]))
      const { inbox: makeInbox, run } = connect({ connectionLimit: 1 })
      await run(
        `SET ${[...settings, `autocommit = ${autocommit}`].join(', ').replace('transaction_', 'tx_')}`,
      )
      const inbox = makeInbox({ table, replayKey: () => 'key' })
      const own = {
        autocommit,
        wait: 33,
        tableWait: 44,
        mode: 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,SIMULTANEOUS_ASSIGNMENT',
        level: level.replace(' ', '-'),
      }
      const session =
        'SELECT @@autocommit AS autocommit, @@innodb_lock_wait_timeout AS wait, @@lock_wait_timeout AS tableWait, @@sql_mode AS mode, @@tx_isolation AS level'

      const { token } = await inbox.claim('key')
      expect((await inbox.claim('key')).status).toBe('in-progress')
      const handler = vi.fn()
      await expect(inbox.once('key', handler)).rejects.toMatchObject({ code: 'ERR_DELIVERY_IN_PROGRESS' })
      expect(await run(session)).toEqual([own])
      expect(handler).not.toHaveBeenCalled()
      await inbox.release('key', token)
      const inside = await inbox.handle(newWebhook(), async (client) => {
        await book(client)
        return (await client.query(session))[0]
      })
      expect(inside).toEqual({ outcome: 'handled', result: [{ ...own, autocommit: 0 }] })
      expect(await run(session)).toEqual([own])
      expect((await inbox.claim('key')).status).toBe('done')
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('duplicate')
      expect(await run(session)).toEqual([own])
      await expect(inbox.once('fails', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
      expect(await run(session)).toEqual([own])
      expect(await inbox.prune()).toBe(0)
      expect(await run(session)).toEqual([own])
      expect(await booked()).toEqual(['a payment'])
    },
  )
})

it.skipIf(isMissing('mariadb'))(
  'does not show a handler the old snapshot of a transaction that was left open',
  async () => {
    const { inbox: makeInbox, run } = connect({ connectionLimit: 1 })
    const inbox = makeInbox({ table: name('inbox') })
    await inbox.migrate()
    const orders = name('orders')
    await run(`CREATE TABLE ${orders} (id INT)`)
    await run('SET autocommit = 0')
    await run(`SELECT * FROM ${orders}`)
    await connect().run(`INSERT INTO ${orders} VALUES (1)`)
    const handling = inbox.handle(
      newWebhook(),
      async (client) => (await client.query(`SELECT * FROM ${orders}`))[0],
    )
    expect((await handling).result).toEqual([{ id: 1 }])
  },
)

it.skipIf(isMissing('mariadb'))('stores keys of 255 characters of 3 bytes each', async () => {
  const { inbox } = await open(database(POOLS[0]))
  const keys = ['a', 'b'].map((end) => '\u20ac'.repeat(254) + end)
  for (const key of ['\u20ac'.repeat(255), ...keys])
    expect((await inbox.once(key, () => 1)).outcome).toBe('handled')
})

it.skipIf(isMissing('mariadb'))(
  'creates a table with a name of 64 characters, and one in another database',
  async () => {
    const { run, inbox: makeInbox } = connect()
    await run('CREATE DATABASE billing')
    for (const table of ['x'.repeat(64), 'billing.order', `billing.${'y'.repeat(64)}`]) {
      const inbox = makeInbox({ table })
      await inbox.migrate()
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
    }
    await expect(makeInbox({ table: 'nowhere.inbox' }).migrate()).rejects.toMatchObject({
      code: 'ER_BAD_DB_ERROR',
    })
  },
)

it.skipIf(isMissing('mariadb'))('migrates from 8 processes at once', async () => {
  const table = name('inbox')
  const inboxes = Array.from({ length: 8 }, () => connect().inbox({ table }))
  await Promise.all(inboxes.map((inbox) => inbox.migrate()))
  const webhook = newWebhook()
  const outcomes = await Promise.all(inboxes.map((inbox) => inbox.handle(webhook, () => undefined)))
  expect(outcomes.filter(({ outcome }) => outcome === 'handled')).toHaveLength(1)
})

describe.skipIf(isMissing('mariadb'))('prune', () => {
  it('reads old keys by the index, and deletes them by the primary key', async () => {
    const { run, table, inbox } = await open(database(POOLS[0]))
    await run(database(POOLS[0]).insertOld(table, 1000))
    await run(
      `INSERT INTO ${table} (\`key\`, handled_at) SELECT seq, UTC_TIMESTAMP(6) FROM seq_1001_to_20000`,
    )
    await run(`ANALYZE TABLE ${table}`)
    const { oldKeys, deleteOld } = statementsFor([table], { ttlSeconds: 2_592_000, leaseSeconds: 60 })
    expect((await run(`EXPLAIN ${oldKeys(10_000)}`))[0]).toMatchObject({ key: 'aged', type: 'range' })
    const names = Array.from({ length: 500 }, (_, index) => Buffer.from(String(index + 1)).toString('hex'))
    expect((await run(`EXPLAIN ${deleteOld(names)}`))[0]).toMatchObject({ key: 'PRIMARY', type: 'range' })
    expect(await inbox.prune()).toBe(1000)
    expect(await run(`SELECT COUNT(*) AS count FROM ${table}`)).toEqual([{ count: 19_000 }])
  })

  it.each(LEVELS)('deletes the old keys while a handler is open, under %s', async (level) => {
    const { run, table, inbox, keys } = await open(database(POOLS[0]))
    const { inbox: makeInbox, pool } = connect()
    pool.pool.on('connection', (connection) => {
      connection.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${level}`)
    })
    await run(database(POOLS[0]).insertOld(table, 1000))
    const pruned = inbox.once('open', async () => makeInbox({ table }).prune())
    expect(await pruned).toEqual({ outcome: 'handled', result: 1000 })
    expect(await keys()).toEqual(['open'])
  })

  it('deletes all old keys, although three processes prune at once', async () => {
    const { run, table, keys } = await open(database(POOLS[0]))
    await run(database(POOLS[0]).insertOld(table, 25_000))
    const counts = await Promise.all([1, 2, 3].map(() => connect().inbox({ table }).prune()))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25_000)
    expect(await keys()).toEqual([])
  })

  it('lets deliveries be handled while it has locked a batch', async () => {
    const { run, table, inbox } = await open(database(POOLS[0]))
    await run(database(POOLS[0]).insertOld(table, 10))
    const { deleteOld } = statementsFor([table], { ttlSeconds: 2_592_000, leaseSeconds: 60 })
    const pruning = await connect().pool.getConnection()
    await pruning.beginTransaction()
    const names = Array.from({ length: 10 }, (_, index) => Buffer.from(String(index + 1)).toString('hex'))
    await pruning.query(deleteOld(names))
    expect((await inbox.once('meanwhile', () => undefined)).outcome).toBe('handled')
    await pruning.rollback()
    pruning.release()
  })

  it('does not delete a key that was claimed meanwhile', async () => {
    const { run, table, inbox } = await open(database(POOLS[0]))
    await run(database(POOLS[0]).insertOld(table, 1))
    const { deleteOld } = statementsFor([table], { ttlSeconds: 2_592_000, leaseSeconds: 60 })
    expect((await inbox.claim('1')).status).toBe('new')
    await run(deleteOld([Buffer.from('1').toString('hex')]))
    expect((await inbox.claim('1')).status).toBe('in-progress')
  })

  it.each([{ rowsAsArray: true }, { nestTables: true }, { nestTables: '_' }, { typeCast: false }])(
    'works with the setting %j of mysql2',
    async (options) => {
      const { run, table } = await open(database(POOLS[0]))
      await run(database(POOLS[0]).insertOld(table, 3))
      expect(
        await connect(options as PoolOptions)
          .inbox({ table })
          .prune(),
      ).toBe(3)
    },
  )
})
