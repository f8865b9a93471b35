import type { VerifiedWebhook, WebhookError } from '@service-signature/core'
import { replayStoreCases } from '@service-signature/core/testing'
import type { Inbox } from '@service-signature/postgres'
import { describe, expect, it, vi } from 'vitest'
import { statementsFor } from '../../src/statements.js'
import type { TestDatabase } from './databases.js'
import { Gate, letTimePass, open } from './open.js'
import { newProof, newWebhook, sentAgain, webhookOf } from './webhooks.js'

/** The behaviour of the inbox with every library. */
export function inboxCases(database: TestDatabase): void {
  const { library } = database

  describe('handle', () => {
    it('handles a delivery once, and returns the result of the handler', async () => {
      const { inbox, other, book, booked } = await open(database)
      const webhook = newWebhook()
      const first = await inbox.handle(webhook, (client) => book(client))
      expect(first).toEqual({ outcome: 'handled', result: 'a payment' })
      const handler = vi.fn()
      expect(await inbox.handle(sentAgain(webhook), handler)).toEqual({
        outcome: 'duplicate',
      })
      expect(await other.handle(webhook, handler)).toEqual({
        outcome: 'duplicate',
      })
      expect(handler).not.toHaveBeenCalled()
      expect(await booked()).toEqual(['a payment'])
    })

    it('accepts a handler that returns at once, and a signature without an event', async () => {
      const { inbox } = await open(database)
      const proof = newProof()
      expect(await inbox.handle(proof, () => 5)).toEqual({
        outcome: 'handled',
        result: 5,
      })
      expect((await inbox.handle(sentAgain(proof), () => 5)).outcome).toBe('duplicate')
    })

    it('passes the error of the handler on, rolls back, and handles the retry', async () => {
      const { inbox, other, book, booked, run, table } = await open(database)
      const webhook = newWebhook()
      const failure = new Error('out of stock')
      const failing = inbox.handle(webhook, async (client) => {
        await book(client)
        throw failure
      })
      await expect(failing).rejects.toBe(failure)
      expect(await booked()).toEqual([])
      expect(await run(`SELECT key FROM ${table}`)).toEqual([])
      expect((await other.handle(webhook, (client) => book(client))).outcome).toBe('handled')
      expect(await booked()).toEqual(['a payment'])
    })

    it('makes a second delivery wait for the first, and reports it as a duplicate', async () => {
      const { inbox, other, book, booked } = await open(database)
      const webhook = newWebhook()
      const { first, end } = await beginHandling(inbox, webhook, book)
      const handler = vi.fn()
      const second = other.handle(webhook, handler)
      await isWaiting()
      end.open()
      expect((await first).outcome).toBe('handled')
      expect((await second).outcome).toBe('duplicate')
      expect(handler).not.toHaveBeenCalled()
      expect(await booked()).toEqual(['a payment'])
    })

    it('makes a second delivery wait for the first, and handles it when the first fails', async () => {
      const { inbox, other, book, booked } = await open(database)
      const webhook = newWebhook()
      const [began, end] = [new Gate(), new Gate()]
      const first = inbox.handle(webhook, async (client) => {
        await book(client, 'the first')
        began.open()
        await end.promise
        throw new Error('the first failed')
      })
      await began.promise
      const second = other.handle(webhook, (client) => book(client, 'the second'))
      await isWaiting()
      end.open()
      await expect(first).rejects.toThrow('the first failed')
      expect((await second).outcome).toBe('handled')
      expect(await booked()).toEqual(['the second'])
    })

    /** Resolves when a statement waits for another transaction. PGlite itself makes the second transaction wait. */
    async function isWaiting(): Promise<void> {
      if (!library.isConcurrent) return
      const { run } = database.connect()
      const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%known%'`
      await expect.poll(() => run(waiting)).toHaveLength(1)
    }

    it('handles one of 20 equal deliveries at once, and refuses those that two wait for already', async () => {
      const { inbox, book, booked } = await open(database)
      const webhook = newWebhook()
      const handle = async () => (await inbox.handle(sentAgain(webhook), (client) => book(client))).outcome
      const all = Array.from({ length: 20 }, () =>
        handle().catch((error: unknown) => (error as WebhookError).code),
      )
      const outcomes = await Promise.all(all)
      expect(outcomes.slice(2)).toEqual(Array(18).fill('ERR_DELIVERY_IN_PROGRESS'))
      expect(outcomes.slice(0, 2).sort()).toEqual(['duplicate', 'handled'])
      expect(await booked()).toEqual(['a payment'])
    })

    it('handles one of 20 equal deliveries at once in as many inboxes', async () => {
      const { table, book, booked } = await open(database)
      const { inbox: makeInbox } = database.connect({ max: 20 })
      const webhook = newWebhook()
      const all = Array.from({ length: 20 }, () =>
        makeInbox({ table }).handle(sentAgain(webhook), (client) => book(client)),
      )
      const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual([...Array<string>(19).fill('duplicate'), 'handled'])
      expect(await booked()).toEqual(['a payment'])
    })

    it('makes two deliveries wait for the one that is being handled, and refuses the next at once', async () => {
      const { inbox, other, book, booked } = await open(database)
      const webhook = newWebhook()
      const { first, end } = await beginHandling(inbox, webhook, book)
      const handler = vi.fn()
      const waiting = [inbox.handle(sentAgain(webhook), handler), inbox.handle(sentAgain(webhook), handler)]
      await expect(inbox.handle(sentAgain(webhook), handler)).rejects.toMatchObject({
        code: 'ERR_DELIVERY_IN_PROGRESS',
        status: 409,
        retryAfterSeconds: 10,
      })
      // Another inbox, and another key, have a count of their own.
      waiting.push(other.handle(sentAgain(webhook), handler))
      const another = inbox.handle(newWebhook(), () => undefined)
      end.open()
      expect((await first).outcome).toBe('handled')
      for (const each of waiting) expect((await each).outcome).toBe('duplicate')
      expect((await another).outcome).toBe('handled')
      expect(handler).not.toHaveBeenCalled()
      expect(await booked()).toEqual(['a payment'])
      expect((await inbox.handle(sentAgain(webhook), handler)).outcome).toBe('duplicate')
    })

    it.each(['handled', 'duplicate'])('refuses a second call for one webhook that is %s', async (outcome) => {
      const { inbox, other, book, booked } = await open(database)
      const webhook = newWebhook()
      if (outcome === 'duplicate') await other.handle(webhook, () => undefined)
      const handler = vi.fn()
      const first = inbox.handle(webhook, (client) => book(client))
      for (const when of ['meanwhile', 'afterwards']) {
        await expect(inbox.handle(webhook, handler), when).rejects.toThrow(
          /^inbox\.handle was called twice for one webhook.* Do all of its work in one handler/,
        )
        await expect(inbox.handle(webhook, handler), when).rejects.toThrow(TypeError)
        expect((await first).outcome).toBe(outcome)
      }
      expect(handler).not.toHaveBeenCalled()
      expect(await booked()).toEqual(outcome === 'handled' ? ['a payment'] : [])
    })

    it('may be called again for a webhook whose handler failed', async () => {
      const { inbox, book, booked } = await open(database)
      const webhook = newWebhook()
      await expect(inbox.handle(webhook, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
      expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
      expect(await booked()).toEqual(['a payment'])
    })

    it.each([
      `it's; DROP TABLE payments; --`,
      String.raw`\', \x27, E'\n' and $$`,
      'Umlaute \u00e4, \u{1f600}, and \r\n\t\u0001',
      '%s ?1 :name {json: true} ${value}',
    ])('stores the key %j as it is', async (key) => {
      const { inbox, other, run, table } = await open(database, {
        replayKey: () => key,
      })
      for (const setting of ['on', 'off']) {
        const { inbox: makeInbox, run } = database.connect({ max: 1 })
        await run(`SET standard_conforming_strings = ${setting}`)
        await makeInbox({ table, replayKey: () => `${key}${setting}` }).handle(newWebhook(), () => undefined)
        await run('RESET standard_conforming_strings')
      }
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      expect((await other.handle(newWebhook(), () => undefined)).outcome).toBe('duplicate')
      expect((await other.claim(key)).status).toBe('done')
      const keys = (await run(`SELECT key FROM ${table}`)).map((row) => row['key'])
      expect(keys.sort()).toEqual([key, `${key}off`, `${key}on`])
    })

    it('keeps two accounts with equal bodies apart', async () => {
      const { inbox } = await open(database)
      const { rawBody } = newWebhook()
      const body = Buffer.from(rawBody).toString()
      for (const key of ['key_of_berlin', 'key_of_madrid']) {
        expect((await inbox.handle(webhookOf(body, key), () => undefined)).outcome).toBe('handled')
        expect((await inbox.handle(webhookOf(body, key), () => undefined)).outcome).toBe('duplicate')
      }
    })

    it('handles unrecognized events, identified by their bytes', async () => {
      const { inbox } = await open(database)
      const [one, two] = [webhookOf('{"a":1}'), webhookOf('{"a": 1}')]
      expect(one.event.shape).toBe('unrecognized')
      expect((await inbox.handle(one, () => undefined)).outcome).toBe('handled')
      expect((await inbox.handle(two, () => undefined)).outcome).toBe('handled')
      expect((await inbox.handle(sentAgain(one), () => undefined)).outcome).toBe('duplicate')
    })

    it('uses the key that replayKey makes', async () => {
      const { inbox, run, table } = await open(database, {
        replayKey: ({ event }) => event.type,
      })
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('duplicate')
      expect(await run(`SELECT key FROM ${table}`)).toEqual([{ key: 'transaction.purchase.successful' }])
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

  describe('once', () => {
    it('does what a key stands for once, and returns the result of the handler', async () => {
      const { inbox, other, book, booked } = await open(database)
      const key = 'intent:int_1:PROCESSED'
      expect(await inbox.once(key, (client) => book(client))).toEqual({
        outcome: 'handled',
        result: 'a payment',
      })
      const handler = vi.fn()
      for (const each of [inbox, other]) {
        expect(await each.once(key, handler)).toEqual({ outcome: 'duplicate' })
      }
      expect(handler).not.toHaveBeenCalled()
      expect((await inbox.once(`${key} `, () => 5)).outcome).toBe('handled')
      expect(await booked()).toEqual(['a payment'])
    })

    it('passes the error of the handler on, rolls back, and does it when it is called again', async () => {
      const { inbox, book, booked } = await open(database)
      const failure = new Error('no')
      const failing = inbox.once('key', async (client) => {
        await book(client, 'too early')
        throw failure
      })
      await expect(failing).rejects.toBe(failure)
      expect((await inbox.once('key', (client) => book(client))).outcome).toBe('handled')
      expect(await booked()).toEqual(['a payment'])
    })

    it('has its keys in the same place as replayKey, so that a job and a webhook share one', async () => {
      const { inbox, other, book, booked } = await open(database, {
        replayKey: ({ event }) => event.type,
      })
      const key = 'transaction.purchase.successful'
      expect((await other.once(key, (client) => book(client, 'the job'))).outcome).toBe('handled')
      expect((await inbox.handle(newWebhook(), (client) => book(client))).outcome).toBe('duplicate')
      expect(await booked()).toEqual(['the job'])
    })

    it('makes two calls wait for the one that runs, and refuses the next at once', async () => {
      const { inbox, book, booked } = await open(database)
      const [began, end] = [new Gate(), new Gate()]
      const first = inbox.once('key', async (client) => {
        began.open()
        await end.promise
        return book(client)
      })
      await began.promise
      const handler = vi.fn()
      const waiting = [inbox.once('key', handler), inbox.once('key', handler)]
      await expect(inbox.once('key', handler)).rejects.toMatchObject({ code: 'ERR_DELIVERY_IN_PROGRESS' })
      end.open()
      expect((await first).outcome).toBe('handled')
      for (const each of waiting) expect((await each).outcome).toBe('duplicate')
      expect(handler).not.toHaveBeenCalled()
      expect(await booked()).toEqual(['a payment'])
    })

    it.each<[what: string, key: unknown, error: typeof TypeError | typeof RangeError]>([
      ['a number', 5, TypeError],
      ['nothing', undefined, TypeError],
      ['a webhook', newWebhook(), TypeError],
      ['half a character', '\ud800', TypeError],
      ['an empty text', '', RangeError],
      ['256 characters', 'x'.repeat(256), RangeError],
    ])('refuses %s for a key', async (_what, key, error) => {
      const { inbox } = await open(database)
      const handler = vi.fn()
      await expect(inbox.once(key as string, handler)).rejects.toThrow(error)
      expect(handler).not.toHaveBeenCalled()
    })

    it('accepts 255 characters, and refuses what is not a handler', async () => {
      const { inbox } = await open(database)
      expect((await inbox.once('x'.repeat(255), () => 1)).outcome).toBe('handled')
      await expect(inbox.once('key', undefined as never)).rejects.toThrow(
        'inbox.once: expected a handler, (client) => Promise, got undefined',
      )
    })
  })

  describe('without its table', () => {
    it('refuses each delivery with 503 and the fix, before the handler', async () => {
      const inbox = database.connect().inbox({ table: database.name('missing') })
      const handler = vi.fn()
      await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject({
        code: 'ERR_REPLAY_STORE_UNAVAILABLE',
        status: 503,
        retryAfterSeconds: 10,
        message: expect.stringContaining('run inbox.migrate() or schema.sql') as string,
        cause: { code: '42P01' },
      })
      expect(handler).not.toHaveBeenCalled()
      await expect(inbox.claim('key')).rejects.toThrow('run inbox.migrate() or schema.sql')
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
    it('may be called again, and keeps the data', async () => {
      const { inbox, other } = await open(database)
      const webhook = newWebhook()
      await inbox.handle(webhook, () => undefined)
      await other.migrate()
      expect((await other.handle(webhook, () => undefined)).outcome).toBe('duplicate')
    })

    it('creates a table in a schema, and one whose name is an SQL keyword', async () => {
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

    it('passes an error on, and creates nothing', async () => {
      const { inbox: makeInbox } = database.connect()
      await expect(makeInbox({ table: 'nowhere.inbox' }).migrate()).rejects.toMatchObject({ code: '3F000' })
    })
  })

  describe('prune', () => {
    it('deletes keys that were handled or lapsed longer ago than ttlSeconds', async () => {
      const opened = await open(database, {
        ttlSeconds: 100,
        leaseSeconds: 10,
      })
      const { inbox, run, table } = opened
      await inbox.claim('claimed')
      await inbox.commit('handled', (await inbox.claim('handled')).token)
      await letTimePass(opened, 90)
      expect(await inbox.prune()).toBe(0)
      await inbox.commit('young', (await inbox.claim('young')).token)
      await letTimePass(opened, 15)
      expect(await inbox.prune()).toBe(1)
      expect(await run(`SELECT key FROM ${table} ORDER BY key`)).toEqual([
        { key: 'claimed' },
        { key: 'young' },
      ])
      await letTimePass(opened, 10)
      expect(await inbox.prune()).toBe(1)
      expect(await run(`SELECT key FROM ${table}`)).toEqual([{ key: 'young' }])
    })

    it('deletes in batches, until nothing is left or the signal aborts', async () => {
      const { inbox, run, table } = await open(database)
      const add = (count: number) =>
        run(`INSERT INTO ${table} (key, handled_at)
             SELECT i::text, now() - interval '31 days' FROM generate_series(1, ${count}) AS i`)
      await add(20_000)
      expect(await inbox.prune()).toBe(20_000)
      await add(10_001)
      const reasons = new AbortController()
      const pruning = inbox.prune({ signal: reasons.signal })
      reasons.abort(new Error('shutting down'))
      await expect(pruning).rejects.toThrow('shutting down')
      expect(await run(`SELECT count(*)::text AS count FROM ${table}`)).toEqual([{ count: '1' }])
      await expect(inbox.prune({ signal: reasons.signal })).rejects.toThrow('shutting down')
      expect(await inbox.prune({ signal: new AbortController().signal })).toBe(1)
    })

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

  describe('as a replay store', () => {
    for (const { name, run } of replayStoreCases(async (times) => {
      const opened = await open(database, times)
      return {
        store: opened.inbox,
        other: opened.other,
        advance: (seconds) => letTimePass(opened, seconds),
      }
    })) {
      it(name, run)
    }

    it('stores a long key and one with a NUL as their SHA-256', async () => {
      const { inbox, run, table } = await open(database)
      for (const key of ['a\0b', 'x'.repeat(256), 'sha256:', 'x'.repeat(255)]) await inbox.claim(key)
      const keys = await run(`SELECT key FROM ${table}`)
      expect(keys.filter(({ key }) => /^sha256:[0-9a-f]{64}$/.test(String(key)))).toHaveLength(3)
      expect(keys).toContainEqual({ key: 'x'.repeat(255) })
    })

    it.each(['commit', 'release'] as const)(
      'does not treat the claim of an adapter as a duplicate, and ignores a late %s',
      async (end) => {
        const { inbox, other, book, booked } = await open(database, {
          replayKey: () => 'key',
        })
        const webhook = newWebhook()
        const { token } = await inbox.claim('key')
        expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
        expect((await other.claim('key')).status).toBe('done')
        await inbox[end]('key', token)
        expect((await other.claim('key')).status).toBe('done')
        expect((await other.handle(webhook, (client) => book(client))).outcome).toBe('duplicate')
        expect(await booked()).toEqual(['a payment'])
      },
    )

    it('handles a retry after an adapter released the claim of a failed handler', async () => {
      const { inbox, book } = await open(database, { replayKey: () => 'key' })
      const webhook = newWebhook()
      const { token } = await inbox.claim('key')
      await expect(inbox.handle(webhook, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
      expect((await inbox.claim('key')).status).toBe('in-progress')
      await inbox.release('key', token)
      expect((await inbox.claim('key')).status).toBe('new')
      expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
    })
  })
}

/** Begins to handle a delivery. Its handler waits until `end` is opened. */
async function beginHandling<Client>(
  inbox: Inbox<Client>,
  webhook: VerifiedWebhook,
  book: (client: Client) => Promise<string>,
) {
  const [began, end] = [new Gate(), new Gate()]
  const first = inbox.handle(webhook, async (client) => {
    began.open()
    await end.promise
    return book(client)
  })
  await began.promise
  return { first, end }
}
