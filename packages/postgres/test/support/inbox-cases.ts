import {
  inboxCases as sharedCases,
  newWebhook,
  sentAgain,
  waitingCases,
  type TestDatabase as SharedDatabase,
} from '@service-signature/contract/inbox-cases'
import { describe, expect, it } from 'vitest'
import { watchWarnings } from './warnings.js'
import { statementsFor } from '../../src/statements.js'
import type { TestDatabase } from './databases.js'
import { open } from './open.js'

/** The database, as the cases of every inbox know it. */
export function sharedDatabase(database: TestDatabase): SharedDatabase {
  const { library } = database
  return {
    connect: database.connect,
    on: library.on,
    name: database.name,
    quoted: (name) => `"${name}"`,
    earlier: (column, seconds) => `${column} - make_interval(secs => ${seconds})`,
    insertOld: (table, count) =>
      `INSERT INTO ${table} (key, handled_at)
       SELECT i::text, now() - interval '31 days' FROM generate_series(1, ${count}) AS i`,
    noTable: '42P01',
  }
}

/** The behaviour of the inbox with every library. */
export function inboxCases(database: TestDatabase): void {
  const { library } = database
  const shared = sharedDatabase(database)
  sharedCases(shared)
  waitingCases(shared, {
    /** PGlite itself makes the second transaction wait. */
    async isWaiting() {
      if (!library.isConcurrent) return
      const { run } = database.connect()
      const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%known%'`
      await expect.poll(() => run(waiting)).toHaveLength(1)
    },
  })

  describe('handle', () => {
    it.each(['on', 'off'])('stores a key as it is if standard_conforming_strings is %s', async (setting) => {
      const key = String.raw`it's \', \x27, E'\n' and $$`
      const { table } = await open(database)
      const { inbox: makeInbox, run } = database.connect({ max: 1 })
      await run(`SET standard_conforming_strings = ${setting}`)
      await makeInbox({ table }).once(key, () => undefined)
      await run('RESET standard_conforming_strings')
      expect(await run(`SELECT key FROM ${table}`)).toEqual([{ key }])
    })

    it('restores the settings of the transaction', async () => {
      const { inbox } = await open(database)
      const setting = (client: unknown) => library.on(client, 'SHOW lock_timeout')
      expect((await inbox.handle(newWebhook(), setting)).result).toEqual([{ lock_timeout: '0' }])
    })
  })

  describe('a transaction that cannot be committed', () => {
    it('because the handler swallowed the error of a statement is an error', async () => {
      const { inbox, book, booked, run, table } = await open(database)
      const webhook = newWebhook()
      const swallowing = inbox.handle(webhook, async (client) => {
        await book(client)
        await library.on(client, 'SELECT 1 / 0').catch(() => undefined)
      })
      await expect(swallowing).rejects.toThrow(/^A statement of the handler failed and the handler did not/)
      expect(await booked()).toEqual([])
      expect(await run(`SELECT key FROM ${table}`)).toEqual([])
      expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
    })

    it('because a statement failed that the handler did not wait for is an error', async () => {
      const { inbox, book, booked } = await open(database)
      const leaving = inbox.handle(newWebhook(), async (client) => {
        await book(client)
        library.on(client, 'SELECT 1 / 0').catch(() => undefined)
      })
      await expect(leaving).rejects.toThrow(/^A statement of the handler failed and the handler did not/)
      expect(await booked()).toEqual([])
    })

    it('does not include one in which a savepoint caught the error', async () => {
      const { inbox, book, booked } = await open(database)
      const recovering = inbox.handle(newWebhook(), async (client) => {
        await book(client)
        await library.recover(client, 'SELECT 1 / 0')
      })
      expect((await recovering).outcome).toBe('handled')
      expect(await booked()).toEqual(['a payment'])
    })

    it.each([
      ['ROLLBACK'],
      ['ROLLBACK AND CHAIN'],
      ['ROLLBACK', 'START TRANSACTION'],
      ['ROLLBACK', 'START TRANSACTION', 'CREATE TABLE of_another_transaction ()'],
    ])('because the handler ran %s %s %s is an error, and is rolled back', async (...statements) => {
      const { inbox, book, booked } = await open(database)
      const webhook = newWebhook()
      const ending = inbox.handle(webhook, async (client) => {
        await book(client)
        for (const statement of statements) await library.on(client, statement)
      })
      await expect(ending).rejects.toThrow(/^The handler ended the transaction itself\. Remove COMMIT/)
      expect(await booked()).toEqual([])
      expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
    })

    it.each([['COMMIT'], ['COMMIT AND CHAIN'], ['COMMIT', 'START TRANSACTION']])(
      'because the handler ran %s %s is an error, and the delivery is not handled again',
      async (...statements) => {
        const { inbox, book, booked } = await open(database)
        const webhook = newWebhook()
        const ending = inbox.handle(webhook, async (client) => {
          await book(client)
          for (const statement of statements) await library.on(client, statement)
        })
        await expect(ending).rejects.toThrow(/^The handler ended the transaction itself\. Remove COMMIT/)
        expect(await booked()).toEqual(['a payment'])
        expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('duplicate')
      },
    )

    it('because a deferred constraint fails at COMMIT is rolled back, and its error is passed on', async () => {
      const { inbox, book, booked, run } = await open(database)
      const orders = database.name('orders')
      await run(`CREATE TABLE ${orders} (id text UNIQUE DEFERRABLE INITIALLY DEFERRED)`)
      const webhook = newWebhook()
      const violating = inbox.handle(webhook, async (client) => {
        await book(client)
        for (let i = 0; i < 2; i++) await library.on(client, `INSERT INTO ${orders} VALUES ('same')`)
      })
      await expect(violating).rejects.toMatchObject({ code: '23505' })
      expect(await booked()).toEqual([])
      expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
    })
  })

  describe('record', () => {
    it('returns true in the first transaction that commits, and false afterwards', async () => {
      const { inbox, other, transaction } = await open(database)
      const webhook = newWebhook()
      const record = (client: unknown) =>
        inbox.record(webhook, (strings, key) => library.on(client, strings.join('$1'), [key]))
      const failing = transaction(async (client) => {
        expect(await record(client)).toBe(true)
        throw new Error('rolled back')
      })
      await expect(failing).rejects.toThrow('rolled back')
      expect(await transaction(record)).toBe(true)
      expect(await transaction(record)).toBe(false)
      expect((await other.handle(webhook, () => undefined)).outcome).toBe('duplicate')
    })
  })

  describe('migrate', () => {
    it('creates a table in a schema', async () => {
      const { run, inbox: makeInbox } = database.connect()
      const schema = database.name('billing')
      await run(`CREATE SCHEMA ${schema}`)
      for (const table of [`${schema}.inbox`, `${schema}.order`, `${schema}.${'x'.repeat(58)}`]) {
        const inbox = makeInbox({ table })
        await inbox.migrate()
        expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      }
      const indexes = await run(`SELECT indexname FROM pg_indexes WHERE schemaname = $1`, [schema])
      expect(indexes).toHaveLength(6)
    })

    describe('of a table of another shape fails, and says what is wrong and how to fix it:', () => {
      const rest = 'handled_at timestamptz, claim_token text, claimed_until timestamptz'
      it.each([
        [
          'id int',
          'no column "key", no column "handled_at", no column "claim_token", no column "claimed_until", ',
        ],
        [`key text, ${rest}`, 'no unique index on "key" alone'],
        [`key text, part int, ${rest}, UNIQUE (key, part)`, 'no unique index on "key" alone'],
        [`key int PRIMARY KEY, ${rest}`, '"key" is integer, not text'],
        [
          'key text PRIMARY KEY, handled_at timestamp, claim_token text, claimed_until date',
          '"handled_at" is timestamp without time zone, not timestamp with time zone, "claimed_until" is date, not',
        ],
        [`key text PRIMARY KEY, ${rest}, id int NOT NULL`, '"id" must have a value'],
      ])('%s', async (columns, problem) => {
        const { run, inbox: makeInbox } = database.connect()
        const table = database.name('other')
        await run(`CREATE TABLE ${table} (${columns})`)
        const migrating = makeInbox({ table }).migrate()
        await expect(migrating).rejects.toThrow(`The table "${table}" is not that of an inbox: `)
        await expect(migrating).rejects.toThrow(problem)
        await expect(migrating).rejects.toThrow(
          'Set "table" to another name, or rename this table: inbox.migrate() then creates its own.',
        )
      })
    })

    it('accepts columns and indexes of your own', async () => {
      const { run, inbox: makeInbox } = database.connect()
      const table = database.name('extended')
      const inbox = makeInbox({ table })
      await inbox.migrate()
      await run(`ALTER TABLE ${table} ADD note text, ADD at timestamptz NOT NULL DEFAULT now(),
                 ADD id int NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE`)
      await run(`CREATE INDEX ON ${table} (note)`)
      const { warnings } = watchWarnings()
      await inbox.migrate()
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      expect(warnings).toEqual([])
      expect(await run('SELECT indexname FROM pg_indexes WHERE tablename = $1', [table])).toHaveLength(4)
    })

    it('accepts a partitioned table', async () => {
      const { run, inbox: makeInbox } = database.connect()
      const table = database.name('partitioned')
      await run(`CREATE TABLE ${table} (
        key text COLLATE "C" PRIMARY KEY, handled_at timestamptz, claim_token text, claimed_until timestamptz
      ) PARTITION BY HASH (key)`)
      await run(`CREATE INDEX ${table}_age ON ${table} ((coalesce(handled_at, claimed_until)))`)
      await run(`CREATE TABLE ${table}_0 PARTITION OF ${table} FOR VALUES WITH (MODULUS 1, REMAINDER 0)`)
      const { warnings } = watchWarnings()
      await makeInbox({ table }).migrate()
      expect(warnings).toEqual([])
    })

    it('adds a missing index to an empty table', async () => {
      const { inbox, run, table } = await open(database)
      await run(`DROP INDEX ${table}_age`)
      const { warnings } = watchWarnings()
      await inbox.migrate()
      expect(await run('SELECT indexname FROM pg_indexes WHERE tablename = $1', [table])).toHaveLength(2)
      expect(warnings).toEqual([])
    })

    it('does not add a missing index to a table with rows, and warns once with the statement that does', async () => {
      const { inbox, run, table } = await open(database)
      await run(`DROP INDEX ${table}_age`)
      await inbox.handle(newWebhook(), () => undefined)
      const { warnings } = watchWarnings()
      await inbox.migrate()
      await inbox.migrate()
      expect(await run('SELECT indexname FROM pg_indexes WHERE tablename = $1', [table])).toHaveLength(1)
      expect(warnings).toMatchObject([
        { name: 'ServiceSignatureWarning', code: 'SERVICE_SIGNATURE_POSTGRES_INDEX' },
      ])
      const [statement] = /CREATE INDEX CONCURRENTLY .*$/.exec(warnings[0]!.message)!
      await run(statement)
      const { warnings: later } = watchWarnings()
      await database.connect().inbox({ table }).migrate()
      expect(later).toEqual([])
    })

    it('passes an error on, and creates nothing', async () => {
      const { inbox: makeInbox } = database.connect()
      await expect(makeInbox({ table: 'nowhere.inbox' }).migrate()).rejects.toMatchObject({ code: '3F000' })
    })
  })

  describe('prune', () => {
    it('keeps young keys of a partitioned table, whose partitions have equal row numbers', async () => {
      const { inbox, book, booked, run, table } = await open(database)
      await run(`DROP TABLE ${table}`)
      await run(`CREATE TABLE ${table} (
        key text COLLATE "C" PRIMARY KEY, handled_at timestamptz, claim_token text, claimed_until timestamptz
      ) PARTITION BY HASH (key)`)
      for (const rest of [0, 1]) {
        await run(`CREATE TABLE ${table}_${rest} PARTITION OF ${table}
                   FOR VALUES WITH (MODULUS 2, REMAINDER ${rest})`)
      }
      // All rows of one partition are old, and all of the other one are young.
      await run(`INSERT INTO ${table} (key) SELECT i::text FROM generate_series(1, 100) AS i`)
      await run(`CREATE TABLE ${table}_ages AS
                 SELECT key, CASE WHEN tableoid = '${table}_0'::regclass THEN 31 ELSE 0 END AS days FROM ${table}`)
      await run(`TRUNCATE ${table}`)
      await run(`INSERT INTO ${table} (key, handled_at)
                 SELECT key, now() - make_interval(days => days) FROM ${table}_ages`)
      const [old] = await run(`SELECT count(*)::text AS count FROM ${table}_0`)
      expect(await inbox.prune()).toBe(Number(old!['count']))
      const [young] = await run(`SELECT count(*)::text AS count FROM ${table}`)
      expect(young).toEqual({ count: String(100 - Number(old!['count'])) })
      const webhook = newWebhook()
      await inbox.handle(webhook, (client) => book(client))
      expect(await inbox.handle(sentAgain(webhook), (client) => book(client))).toEqual({
        outcome: 'duplicate',
      })
      expect(await booked()).toEqual(['a payment'])
    })

    it('uses the index', async () => {
      const { run, table } = await open(database)
      await run(
        `INSERT INTO ${table} (key, handled_at) SELECT i::text, now() FROM generate_series(1, 5000) AS i`,
      )
      await run(`ANALYZE ${table}`)
      const { prune } = statementsFor([table], {
        ttlSeconds: 60,
        leaseSeconds: 60,
      })
      const plan = JSON.stringify(await run(`EXPLAIN ${prune}`))
      expect(plan).toContain(`Index Scan using ${table}_age`)
      expect(plan).not.toContain('Seq Scan')
    })
  })
}
