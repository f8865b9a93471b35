import { createVerifier, verifySync, WebhookError } from '@service-signature/core'
import { sign, transactionEvent } from '@service-signature/core/testing'
import { newProof, newWebhook, sentAgain, webhookOf } from '@service-signature/contract/inbox-cases'
import { d1Inbox } from '@service-signature/cloudflare'
import { describe, expect, it, vi } from 'vitest'
import { useInboxes } from './support/open.js'
import { isMissing } from '@service-signature/contract/services'

const { open } = useInboxes()

const UNAVAILABLE = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, retryAfterSeconds: 10 }

describe.skipIf(isMissing('drivers'))('handle and once', () => {
  it('book a delivery once, and return the results of the statements alone', async () => {
    const { inbox, db, bookings, insert, booked } = await open()
    const webhook = newWebhook()
    const statements = [insert(), db.prepare(`SELECT count(*) AS n FROM ${bookings}`)]
    expect(await inbox.handle(webhook, statements)).toMatchObject({
      outcome: 'handled',
      result: [{ meta: { changes: 1 } }, { results: [{ n: 1 }] }],
    })
    expect(await inbox.handle(sentAgain(webhook), statements)).toEqual({ outcome: 'duplicate' })
    expect((await inbox.once('key', [insert('by its key')])).result).toHaveLength(1)
    expect(await inbox.once('key', [insert('by its key')])).toEqual({ outcome: 'duplicate' })
    expect(await booked()).toEqual(['a payment', 'by its key'])
  })

  it('books each of several deliveries, whichever of them were booked before', async () => {
    const { book, booked, insert } = await open()
    expect(await book('a', insert('a'))).toBe('handled')
    const outcomes = await Promise.all(['b', 'c', 'a', 'd', 'd'].map((key) => book(key, insert(key))))
    expect(outcomes.sort()).toEqual(['duplicate', 'duplicate', 'handled', 'handled', 'handled'])
    expect((await booked()).sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('refuses a second call for one webhook, unless the first one failed', async () => {
    const { inbox, book, booked, insert } = await open()
    const webhook = newWebhook()
    await expect(book(webhook, insert(null))).rejects.toThrow('NOT NULL')
    expect(await book(webhook)).toBe('handled')
    await expect(inbox.handle(webhook, [insert('the second')])).rejects.toThrow(
      new TypeError(
        'inbox.handle was called twice for one webhook, and the work of the second call would be left out as a duplicate. ' +
          'Do all of its work in one handler, or give the second one an inbox with a table of its own.',
      ),
    )
    expect(await booked()).toEqual(['a payment'])
  })

  it('accepts a signature without an event', async () => {
    const { book } = await open()
    const proof = newProof()
    expect(await book(proof)).toBe('handled')
    expect(await book(sentAgain(proof))).toBe('duplicate')
  })

  it.each<[string, 'array' | 'function' | 'async function']>([
    ['an array', 'array'],
    ['a function', 'function'],
    ['an async function', 'async function'],
  ])('take the statements from %s, which is called once', async (_what, kind) => {
    const { inbox, insert, booked } = await open()
    const make = vi.fn(() => [insert()])
    const statements = {
      array: make(),
      function: make,
      'async function': () => Promise.resolve(make()),
    }[kind]
    make.mockClear()
    expect((await inbox.once('key', statements)).outcome).toBe('handled')
    expect((await inbox.once('key', statements)).outcome).toBe('duplicate')
    expect(make).toHaveBeenCalledTimes(kind === 'array' ? 0 : 2)
    expect(await booked()).toEqual(['a payment'])
  })

  it('record a delivery that needs no statement', async () => {
    const { inbox, keys } = await open()
    expect(await inbox.once('key', [])).toEqual({ outcome: 'handled', result: [] })
    expect(await inbox.once('key', () => [])).toEqual({ outcome: 'duplicate' })
    expect(await keys()).toEqual(['key'])
  })

  it.each<
    [what: string, statements: (open: { insert: () => { run: () => unknown } }) => unknown, got: string]
  >([
    ['nothing', () => undefined, ', or a function that returns it, got undefined'],
    ['a statement', ({ insert }) => insert(), ', or a function that returns it, got object'],
    ['a function without a result', () => () => undefined, ', or a function that returns it, got undefined'],
    ['statements of SQL', () => ['INSERT'], ''],
    ['a missing statement', () => [undefined], ''],
  ])('refuse %s, and send nothing', async (_what, statementsOf, got) => {
    const { inbox, insert, keys } = await open()
    const statements = statementsOf({ insert }) as never
    const expected = new TypeError(
      `The inbox: expected an array of prepared statements of D1 that were not run, such as [db.prepare(...).bind(...)]${got}`,
    )
    await expect(inbox.once('key', statements)).rejects.toThrow(expected)
    await expect(inbox.handle(newWebhook(), statements)).rejects.toThrow(expected)
    expect(await keys()).toEqual([])
  })

  it('refuse a statement that was run by itself', async () => {
    const { inbox, insert, keys } = await open()
    await expect(inbox.once('key', [insert().run()] as never)).rejects.toThrow('that were not run')
    expect(await keys()).toEqual([])
  })

  it('pass the error of the function on, and handle the retry', async () => {
    const { inbox, book, keys } = await open()
    const webhook = newWebhook()
    const error = new Error('of the handler')
    await expect(inbox.handle(webhook, () => Promise.reject(error))).rejects.toBe(error)
    expect(await keys()).toEqual([])
    expect(await book(webhook)).toBe('handled')
  })

  it('roll back if a statement of the batch fails, pass its error on, and book the retry', async () => {
    const { book, booked, keys, insert } = await open()
    const webhook = newWebhook()
    const error: unknown = await book(webhook, insert(null)).catch((thrown: unknown) => thrown)
    expect(WebhookError.is(error)).toBe(false)
    expect(String(error)).toMatch(/NOT NULL constraint failed: bookings_\d+\.what/)
    expect(await booked()).toEqual([])
    expect(await keys()).toEqual([])
    expect(await book(webhook)).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })

  it('pass on the error of a statement whose text is that of a duplicate', async () => {
    const { db, inbox, table, bookings, booked, keys, insert } = await open()
    const text = `NOT NULL constraint failed: ${table}.key`
    // The name of a payer, for example.
    const trigger = `CREATE TRIGGER t_${bookings} BEFORE INSERT ON ${bookings} WHEN NEW.what != 'a payment'
      BEGIN SELECT RAISE(ABORT, NEW.what); END`
    await db.prepare(trigger).run()
    const ofTrigger: unknown = expect.objectContaining({
      message: expect.stringContaining(`D1_ERROR: ${text}`) as string,
    })
    await expect(inbox.handle(newWebhook(), [insert(text)])).rejects.toEqual(ofTrigger)
    await expect(inbox.once('key', [insert(text)])).rejects.toEqual(ofTrigger)
    await expect(inbox.once('key', [insert(`no such table: ${table}`)])).rejects.toThrow(
      'D1_ERROR: no such table',
    )
    await expect(inbox.once('key', [insert('D1 DB is overloaded.')])).rejects.toThrow(
      /^D1_ERROR: D1 DB is over/,
    )
    const ownKey = db.prepare(`INSERT INTO ${table} (key) VALUES (NULL)`)
    await expect(inbox.once('key', [ownKey])).rejects.toEqual(ofTrigger)
    expect([await booked(), await keys()]).toEqual([[], []])
    expect((await inbox.once('key', [insert()])).outcome).toBe('handled')
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
      expect(await book(sentAgain(webhook))).toBe('duplicate')
    }
  })

  it.each<[what: string, value: unknown]>([
    ['nothing', undefined],
    ['an event alone', newWebhook().event],
    ['a body that was not verified', { rawBody: new Uint8Array(1) }],
    ['a copy', { ...newWebhook() }],
    ['a key', 'intent:int_1:PROCESSED'],
  ])('handle refuses %s, and makes no statement', async (_what, value) => {
    const db = { prepare: vi.fn(), batch: vi.fn() }
    const statements = vi.fn()
    await expect(d1Inbox(db as never).handle(value as never, statements as never)).rejects.toThrow(TypeError)
    expect([db.prepare, db.batch, statements].map(({ mock }) => mock.calls)).toEqual([[], [], []])
  })

  it.each<[what: string, key: unknown, error: typeof TypeError | typeof RangeError]>([
    ['a webhook', newWebhook(), TypeError],
    ['half a character', '\ud800', TypeError],
    ['an empty text', '', RangeError],
    ['256 characters', 'x'.repeat(256), RangeError],
  ])('once refuses %s, and makes no statement', async (_what, key, error) => {
    const db = { prepare: vi.fn(), batch: vi.fn() }
    const statements = vi.fn()
    await expect(d1Inbox(db as never).once(key as string, statements as never)).rejects.toThrow(error)
    expect([db.prepare, db.batch, statements].map(({ mock }) => mock.calls)).toEqual([[], [], []])
  })

  it('refuses a proof without its event if replayKey needs one', async () => {
    const { inbox } = await open({ replayKey: ({ event }) => event.type })
    await expect(inbox.handle(newProof(), [])).rejects.toThrow('"replayKey" needs a webhook with its event')
  })

  it('refuses a delivery that is accepted for longer than its key is stored', async () => {
    const { inbox, keys } = await open({ ttlSeconds: 390 })
    const body = JSON.stringify(transactionEvent())
    const options = { secret: 'secret', toleranceSeconds: 600 }
    const webhook = verifySync(body, sign(body, { secret: 'secret' }), options)
    await expect(inbox.handle(webhook, [])).rejects.toThrow(RangeError)
    expect(await keys()).toEqual([])
  })

  it('works in a session of D1', async () => {
    const { db, table, book, booked, insert } = await open()
    const inbox = d1Inbox(db.withSession('first-unconstrained'), { table })
    expect((await inbox.once('key', [insert('in the session')])).outcome).toBe('handled')
    expect((await inbox.once('key', [insert()])).outcome).toBe('duplicate')
    expect(await book('key')).toBe('duplicate')
    expect(await booked()).toEqual(['in the session'])
  })
})

describe.skipIf(isMissing('drivers'))('once against the claim of an adapter', () => {
  it('is refused with 409 while the claim is alive, and books nothing', async () => {
    const { inbox, other, book, booked, insert } = await open()
    const { token } = await other.claim('key')
    await expect(inbox.once('key', [insert()])).rejects.toMatchObject({
      code: 'ERR_DELIVERY_IN_PROGRESS',
      status: 409,
      message: expect.stringContaining('is being handled elsewhere right now') as string,
    })
    expect(await booked()).toEqual([])
    // The claim is as it was.
    await other.commit('key', token)
    expect(await book('key')).toBe('duplicate')
    expect(await booked()).toEqual([])
  })

  it('names both readings if this inbox has claimed the key', async () => {
    const { inbox, booked, insert } = await open()
    await inbox.claim('key')
    await expect(inbox.once('key', [insert()])).rejects.toThrow(
      'give inbox.once a key that "replayKey" does not make',
    )
    expect(await booked()).toEqual([])
  })

  it('ignores a claim that has lapsed or was released', async () => {
    const { inbox, other, book, booked, advance } = await open()
    await other.claim('lapsed')
    await advance(61)
    expect(await book('lapsed')).toBe('handled')
    await inbox.release('released', (await inbox.claim('released')).token)
    expect(await book('released')).toBe('handled')
    expect(await booked()).toHaveLength(2)
  })

  it('books if the claim ends while it finds out why its batch failed', async () => {
    const { db, table, other, insert, booked } = await open()
    const { token } = await other.claim('key')
    let batches = 0
    const inbox = d1Inbox(
      {
        prepare: (text) => db.prepare(text),
        batch: async (statements: ReturnType<typeof insert>[]) => {
          const [result] = await Promise.allSettled([db.batch(statements)])
          if (++batches === 1) await other.release('key', token)
          return result.status === 'fulfilled' ? result.value : Promise.reject(result.reason as Error)
        },
      },
      { table },
    )
    expect((await inbox.once('key', [insert()])).outcome).toBe('handled')
    expect(batches).toBe(2)
    expect(await booked()).toEqual(['a payment'])
  })

  it('is booked once by an endpoint and a job with the same key', async () => {
    const { inbox, other, insert, booked } = await open({ replayKey: () => 'key' })
    const body = JSON.stringify(transactionEvent())
    const verifier = createVerifier({ secret: 'secret', replay: inbox, replayKey: () => 'key' })
    const job: unknown[] = []
    const received = await verifier.receive(body, sign(body, { secret: 'secret' }), async () => {
      job.push(await other.once('key', [insert('by the job')]).catch((error: unknown) => error))
      await insert('by the endpoint').run()
    })
    expect(received.outcome).toBe('handled')
    expect(job).toMatchObject([{ code: 'ERR_DELIVERY_IN_PROGRESS' }])
    expect(await other.once('key', [insert('by the job')])).toEqual({ outcome: 'duplicate' })
    expect(await booked()).toEqual(['by the endpoint'])
  })
})

describe.skipIf(isMissing('drivers'))('as a replay store', () => {
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

describe.skipIf(isMissing('drivers'))('prune', () => {
  it('deletes keys that were handled or lapsed longer ago than ttlSeconds', async () => {
    const { inbox, advance, keys } = await open({ ttlSeconds: 400, leaseSeconds: 10 })
    await inbox.claim('claimed')
    await inbox.commit('handled', (await inbox.claim('handled')).token)
    await advance(390)
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

const MISSING =
  'The database of the inbox failed: the table of the inbox does not exist. Run inbox.migrate() or schema.sql.'

describe.skipIf(isMissing('drivers'))('without its table', () => {
  it.each(['missing', 'main.missing'])(
    'refuses each claim and each batch with 503 and the fix (%s)',
    async (table) => {
      const { db, insert, booked } = await open()
      const inbox = d1Inbox(db, { table })
      const cause = { message: expect.stringContaining('no such table: ') as string }
      for (const refused of [
        inbox.claim('key'),
        inbox.once('key', [insert()]),
        inbox.handle(newWebhook(), [insert()]),
      ])
        await expect(refused).rejects.toMatchObject({ ...UNAVAILABLE, message: MISSING, cause })
      expect(await booked()).toEqual([])
    },
  )

  it('passes on that a table of the merchant is missing', async () => {
    const { db, inbox, keys } = await open()
    const missing = db.prepare('INSERT INTO missing_of_the_merchant VALUES (1)')
    await expect(inbox.once('key', [missing])).rejects.toThrow(
      /^D1_ERROR: no such table: missing_of_the_merchant/,
    )
    expect(await keys()).toEqual([])
  })
})

it.skipIf(isMissing('drivers'))(
  'sends one batch for a new key, one statement more for one that is refused, and one for each step',
  async () => {
    const { db, table } = await open()
    const sent: string[] = []
    const counting = {
      prepare: (text: string) => {
        sent.push(text.split(' ')[0]!)
        return db.prepare(text)
      },
      batch: (statements: ReturnType<typeof db.prepare>[]) => {
        sent.push(`batch of ${statements.length}`)
        return db.batch(statements)
      },
    }
    const inbox = d1Inbox(counting, { table })
    await inbox.once('own', [])
    await inbox.once('own', [])
    expect(sent.splice(0)).toEqual(['INSERT', 'batch of 1', 'INSERT', 'batch of 1', 'UPDATE'])
    const { token } = await inbox.claim('key')
    await inbox.commit('key', token)
    await inbox.release('key', token)
    expect(sent).toEqual(['INSERT', 'INSERT', 'DELETE'])
  },
)
