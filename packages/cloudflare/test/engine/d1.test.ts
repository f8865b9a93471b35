import { WebhookError } from '@service-signature/core'
import { newProof, newWebhook, sentAgain, webhookOf } from '@service-signature/contract/inbox-cases'
import { d1Inbox, type D1InboxOptions } from '@service-signature/cloudflare'
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { useWorkerd } from './support/workerd.js'

const workerd = useWorkerd()

let count = 0

/** An inbox with a table of its own, and a table in which its batches book. */
async function open(options: D1InboxOptions = {}) {
  const db = await workerd().getD1Database('DB')
  const table = `inbox_${++count}`
  const inbox = d1Inbox(db, { table, ...options })
  await inbox.migrate()
  const bookings = `bookings_${count}`
  await db.prepare(`CREATE TABLE ${bookings} (what TEXT NOT NULL)`).run()
  const insert = (what: unknown = 'a payment') => db.prepare(`INSERT INTO ${bookings} VALUES (?1)`).bind(what)
  const rows = async (text: string) => (await db.prepare(text).all()).results
  return {
    db,
    table,
    inbox,
    /** The inbox of another Worker. */
    other: d1Inbox(db, { table, ...options }),
    insert,
    /** As a merchant's handler does. */
    book: async (webhookOrKey: Parameters<typeof inbox.statement>[0], statement = insert()) => {
      try {
        await db.batch([await inbox.statement(webhookOrKey), statement])
        return 'handled'
      } catch (error) {
        if (inbox.isDuplicate(error)) return 'duplicate'
        throw error
      }
    },
    booked: async () => (await rows(`SELECT what FROM ${bookings}`)).map(({ what }) => what),
    keys: async () => (await rows(`SELECT key FROM ${table} ORDER BY key`)).map(({ key }) => key),
    rows,
    advance: async (seconds: number) => {
      const columns = ['handled_at', 'claimed_until'].map((column) => `${column} = ${column} - ${seconds}`)
      await db.prepare(`UPDATE ${table} SET ${columns.join(', ')}`).run()
    },
  }
}

describe('statement', () => {
  it('books a delivery once', async () => {
    const { book, booked } = await open()
    const webhook = newWebhook()
    expect(await book(webhook)).toBe('handled')
    expect(await book(sentAgain(webhook))).toBe('duplicate')
    expect(await book(webhook)).toBe('duplicate')
    expect(await booked()).toEqual(['a payment'])
  })

  it('accepts a signature without an event', async () => {
    const { book } = await open()
    const proof = newProof()
    expect(await book(proof)).toBe('handled')
    expect(await book(sentAgain(proof))).toBe('duplicate')
  })

  it('rolls back if a statement of the batch fails, passes its error on, and books the retry', async () => {
    const { inbox, book, booked, keys, insert } = await open()
    const webhook = newWebhook()
    const error: unknown = await book(webhook, insert(null)).catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(/NOT NULL constraint failed: bookings_\d+\.what/)
    expect(inbox.isDuplicate(error)).toBe(false)
    expect(await booked()).toEqual([])
    expect(await keys()).toEqual([])
    expect(await book(webhook)).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })

  it('rolls back statements before it', async () => {
    const { db, inbox, book, booked, insert } = await open()
    await book('key')
    await expect(db.batch([insert('another'), await inbox.statement('key')])).rejects.toThrow()
    expect(await booked()).toEqual(['a payment'])
  })

  it('books one of 20 equal deliveries at once', async () => {
    const { book, booked } = await open()
    const webhook = newWebhook()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => book(sentAgain(webhook))))
    expect(outcomes.sort()).toEqual([...Array<string>(19).fill('duplicate'), 'handled'])
    expect(await booked()).toEqual(['a payment'])
  })

  it('does what a key of your own stands for once, in one place with the keys of replayKey', async () => {
    const { book, booked, keys } = await open({ replayKey: ({ event }) => event.type })
    expect(await book('transaction.purchase.successful')).toBe('handled')
    expect(await book(newWebhook())).toBe('duplicate')
    expect(await book('transaction.purchase.successful ')).toBe('handled')
    expect(await booked()).toHaveLength(2)
    expect(await keys()).toEqual(['transaction.purchase.successful', 'transaction.purchase.successful '])
  })

  it('stores each key as it is, or its SHA-256', async () => {
    const { book, keys } = await open()
    const own = [
      'key',
      'KEY',
      'k\u00e9y',
      'ke\u0301y',
      'key ',
      `'; DROP TABLE x; --`,
      '\u{1f600}\r\n',
      'x'.repeat(255),
    ]
    for (const key of [...own, 'a\0b']) {
      expect(await book(key), JSON.stringify(key)).toBe('handled')
      expect(await book(key), JSON.stringify(key)).toBe('duplicate')
    }
    const stored = await keys()
    expect(stored).toEqual(expect.arrayContaining(own))
    expect(stored).toContainEqual(expect.stringMatching(/^sha256:[0-9a-f]{64}$/))
    expect(stored).toHaveLength(own.length + 1)
  })

  it('keeps two accounts with equal bodies apart, and identifies unrecognized events by their bytes', async () => {
    const { book } = await open()
    for (const webhook of [
      webhookOf('{"a":1}'),
      webhookOf('{"a":1}', 'another_key'),
      webhookOf('{"a": 1}'),
    ]) {
      expect(await book(webhook)).toBe('handled')
      expect(await book(webhook)).toBe('duplicate')
    }
  })

  it.each<[what: string, value: unknown, error: typeof TypeError | typeof RangeError]>([
    ['nothing', undefined, TypeError],
    ['an event alone', newWebhook().event, TypeError],
    ['a body that was not verified', { rawBody: new Uint8Array(1) }, TypeError],
    ['half a character', '\ud800', TypeError],
    ['an empty text', '', RangeError],
    ['256 characters', 'x'.repeat(256), RangeError],
  ])('refuses %s, and makes no statement', async (_what, value, error) => {
    const db = { prepare: vi.fn(), batch: vi.fn() }
    await expect(d1Inbox(db as never).statement(value as string)).rejects.toThrow(error)
    expect(db.prepare).not.toHaveBeenCalled()
  })

  it('refuses a proof without its event if replayKey needs one', async () => {
    const { inbox } = await open({ replayKey: ({ event }) => event.type })
    await expect(inbox.statement(newProof())).rejects.toThrow('"replayKey" needs a webhook with its event')
  })

  it('works in a session of D1', async () => {
    const { db, table, book, booked, insert } = await open()
    const session = db.withSession('first-primary')
    const inbox = d1Inbox(session, { table })
    await session.batch([await inbox.statement('key'), insert('in the session')])
    expect(await book('key')).toBe('duplicate')
    expect(await booked()).toEqual(['in the session'])
  })
})

describe('isDuplicate', () => {
  const text = 'NOT NULL constraint failed: service_signature_inbox.key'
  const inbox = d1Inbox({ prepare: vi.fn(), batch: vi.fn() })

  it.each([
    ['of D1', new Error(`D1_ERROR: ${text}: SQLITE_CONSTRAINT`)],
    ['of D1 without its prefix', new Error(text)],
    [
      'that a library has wrapped',
      new Error('Failed query: INSERT', { cause: new Error(`D1_ERROR: ${text}`) }),
    ],
    ['that came through RPC', { message: `Error: D1_ERROR: ${text}` }],
  ])('recognizes the error %s', (_what, error) => {
    expect(inbox.isDuplicate(error)).toBe(true)
  })

  it.each([
    ['of another table', new Error('D1_ERROR: NOT NULL constraint failed: my_service_signature_inbox.key')],
    ['of a table with a longer name', new Error(text.replace('inbox', 'inbox_2'))],
    ['of another column', new Error(`D1_ERROR: ${text}_id`)],
    ['of another constraint', new Error(text.replace('NOT NULL', 'UNIQUE'))],
    ['whose message has a value with this text', new Error(`Failed query: params: D1_ERROR: ${text}`)],
    ['that is nothing', undefined],
    ['that is a text', text],
    ['that is null', null],
  ])('does not recognize an error %s', (_what, error) => {
    expect(inbox.isDuplicate(error)).toBe(false)
  })
})

describe('as a replay store', () => {
  it.each(['commit', 'release'] as const)(
    'does not treat the claim of an adapter as a duplicate, and ignores a late %s',
    async (end) => {
      const { inbox, other, book, booked } = await open({ replayKey: () => 'key' })
      const { token } = await inbox.claim('key')
      expect(await book(newWebhook())).toBe('handled')
      expect((await other.claim('key')).status).toBe('done')
      await inbox[end]('key', token)
      expect((await other.claim('key')).status).toBe('done')
      expect(await book(newWebhook())).toBe('duplicate')
      expect(await booked()).toEqual(['a payment'])
    },
  )

  it('books a retry after an adapter released the claim of a failed batch', async () => {
    const { inbox, book, booked, insert } = await open({ replayKey: () => 'key' })
    const { token } = await inbox.claim('key')
    await expect(book(newWebhook(), insert(null))).rejects.toThrow('NOT NULL')
    expect((await inbox.claim('key')).status).toBe('in-progress')
    await inbox.release('key', token)
    expect((await inbox.claim('key')).status).toBe('new')
    expect(await book(newWebhook())).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })
})

describe('migrate', () => {
  it('may be called again, and keeps the data', async () => {
    const { other, book } = await open()
    await book('key')
    await other.migrate()
    expect(await book('key')).toBe('duplicate')
  })

  it('creates the table of schema.sql', async () => {
    const { db, rows } = await open()
    await d1Inbox(db).migrate()
    const created = `SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'service_signature_inbox' ORDER BY name`
    const migrated = await rows(created)
    expect(migrated.map(({ name }) => name)).toContain('service_signature_inbox_age')
    await db.prepare('DROP TABLE service_signature_inbox').run()
    const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8').replace(/^--.*$/gm, '')
    await db.batch(
      schema
        .split(';')
        .filter((statement) => statement.trim() !== '')
        .map((statement) => db.prepare(statement)),
    )
    const plain = (found: typeof migrated) => JSON.stringify(found).replaceAll(/\s|\\n/g, '')
    expect(plain(await rows(created))).toBe(plain(migrated))
  })

  it('creates a table whose name is a word of SQL, and one with its schema', async () => {
    const { db } = await open()
    for (const table of ['order', 'main.group']) {
      const inbox = d1Inbox(db, { table })
      await inbox.migrate()
      await db.batch([await inbox.statement('key')])
      const again: unknown = await db.batch([await inbox.statement('key')]).catch((error: unknown) => error)
      expect(inbox.isDuplicate(again), table).toBe(true)
      expect((await inbox.claim('key')).status).toBe('done')
    }
  })
})

describe('prune', () => {
  it('deletes keys that were handled or lapsed longer ago than ttlSeconds', async () => {
    const { inbox, advance, keys } = await open({ ttlSeconds: 100, leaseSeconds: 10 })
    await inbox.claim('claimed')
    await inbox.commit('handled', (await inbox.claim('handled')).token)
    await advance(90)
    expect(await inbox.prune()).toBe(0)
    await inbox.commit('young', (await inbox.claim('young')).token)
    await advance(15)
    expect(await inbox.prune()).toBe(1)
    expect(await keys()).toEqual(['claimed', 'young'])
    await advance(10)
    expect(await inbox.prune()).toBe(1)
    expect(await keys()).toEqual(['young'])
  })

  it('deletes in batches over the index, until nothing is left or the signal aborts', async () => {
    const { inbox, rows, table, keys } = await open()
    const insertOld = (length: number) =>
      rows(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${length})
        INSERT INTO ${table} (key, handled_at) SELECT i, unixepoch() - 31 * 86400 FROM n`)
    await insertOld(20_000)
    const [plan] = await rows(
      `EXPLAIN QUERY PLAN SELECT key FROM ${table} WHERE coalesce(handled_at, claimed_until) < 1`,
    )
    expect(plan).toMatchObject({ detail: expect.stringContaining(`${table}_age`) as string })
    expect(await inbox.prune()).toBe(20_000)
    await insertOld(10_001)
    const stop = new AbortController()
    const pruning = inbox.prune({ signal: stop.signal })
    stop.abort(new Error('shutting down'))
    await expect(pruning).rejects.toThrow('shutting down')
    expect(await keys()).toHaveLength(1)
    expect(await inbox.prune({ signal: new AbortController().signal })).toBe(1)
  })
})

describe('without its table', () => {
  it('refuses each claim with 503 and the fix, and fails each batch', async () => {
    const { db, insert, booked } = await open()
    const inbox = d1Inbox(db, { table: 'missing' })
    const error: unknown = await inbox.claim('key').catch((thrown: unknown) => thrown)
    expect(WebhookError.is(error)).toBe(true)
    expect(error).toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      status: 503,
      retryAfterSeconds: 10,
      message: expect.stringContaining('run inbox.migrate() or schema.sql') as string,
      cause: { message: expect.stringContaining('no such table: missing') as string },
    })
    await expect(db.batch([await inbox.statement('key'), insert()])).rejects.toThrow('no such table: missing')
    expect(await booked()).toEqual([])
  })
})

it('sends one statement for each step', async () => {
  const { db, table } = await open()
  const texts: string[] = []
  const counting = {
    prepare: (text: string) => {
      texts.push(text.split(' ')[0]!)
      return db.prepare(text)
    },
    batch: (statements: ReturnType<typeof db.prepare>[]) => db.batch(statements),
  }
  const inbox = d1Inbox(counting, { table })
  await db.batch([await inbox.statement('own')])
  const { token } = await inbox.claim('key')
  await inbox.commit('key', token)
  await inbox.release('key', token)
  expect(texts).toEqual(['INSERT', 'INSERT', 'INSERT', 'DELETE'])
})
