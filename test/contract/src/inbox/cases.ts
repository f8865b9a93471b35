import { replayStoreCases } from '@service-signature/core/testing'
import { describe, expect, it, vi } from 'vitest'
import { open, andThen, type TestDatabase } from './open.js'
import { newProof, newWebhook, sentAgain, webhookOf } from './webhooks.js'

/** The behaviour of every inbox with transactions. Its handlers do not wait, so that they may be synchronous. */
export function inboxCases(database: TestDatabase): void {
  describe('handle', () => {
    it('handles a delivery once, and returns the result of the handler', async () => {
      const { inbox, other, book, booked } = await open(database)
      const webhook = newWebhook()
      const first = await inbox.handle(webhook, (client) => book(client))
      expect(first).toEqual({ outcome: 'handled', result: 'a payment' })
      const handler = vi.fn()
      expect(await inbox.handle(sentAgain(webhook), handler)).toEqual({ outcome: 'duplicate' })
      expect(await other.handle(webhook, handler)).toEqual({ outcome: 'duplicate' })
      expect(handler).not.toHaveBeenCalled()
      expect(await booked()).toEqual(['a payment'])
    })

    it('accepts a signature without an event', async () => {
      const { inbox } = await open(database)
      const proof = newProof()
      expect(await inbox.handle(proof, () => 5)).toEqual({ outcome: 'handled', result: 5 })
      expect((await inbox.handle(sentAgain(proof), () => 5)).outcome).toBe('duplicate')
    })

    it('passes the error of the handler on, rolls back, and handles the retry', async () => {
      const { inbox, other, book, booked, keys } = await open(database)
      const webhook = newWebhook()
      const failure = new Error('out of stock')
      const failing = inbox.handle(webhook, (client) =>
        andThen(book(client), () => {
          throw failure
        }),
      )
      await expect(failing).rejects.toBe(failure)
      expect(await booked()).toEqual([])
      expect(await keys()).toEqual([])
      expect((await other.handle(webhook, (client) => book(client))).outcome).toBe('handled')
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
      const failing = inbox.handle(webhook, () => {
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
      expect(await booked()).toEqual(['a payment'])
    })

    it.each([
      `it's; DROP TABLE payments; --`,
      String.raw`\', \x27, E'\n' and $$`,
      'Umlaute \u00e4, \u{1f600}, and \r\n\t\u0001',
      '%s ?1 :name {json: true} ${value}',
    ])('stores the key %j as it is', async (key) => {
      const { inbox, other, keys } = await open(database, { replayKey: () => key })
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      expect((await other.handle(newWebhook(), () => undefined)).outcome).toBe('duplicate')
      expect((await other.claim(key)).status).toBe('done')
      expect(await keys()).toEqual([key])
    })

    it('does not mistake a key for another one that differs in case, an accent or a space at its end', async () => {
      const { inbox } = await open(database)
      for (const key of ['key', 'KEY', 'k\u00e9y', 'ke\u0301y', 'key ', 'key\0']) {
        expect((await inbox.once(key, () => key)).outcome, JSON.stringify(key)).toBe('handled')
      }
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
      const { inbox, keys } = await open(database, { replayKey: ({ event }) => event.type })
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('duplicate')
      expect(await keys()).toEqual(['transaction.purchase.successful'])
    })
  })

  describe('once', () => {
    it('does what a key stands for once, and returns the result of the handler', async () => {
      const { inbox, other, book, booked } = await open(database)
      const key = 'intent:int_1:PROCESSED'
      const first = await inbox.once(key, (client) => book(client))
      expect(first).toEqual({ outcome: 'handled', result: 'a payment' })
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
      const failing = inbox.once('key', (client) =>
        andThen(book(client, 'too early'), () => {
          throw failure
        }),
      )
      await expect(failing).rejects.toBe(failure)
      expect((await inbox.once('key', (client) => book(client))).outcome).toBe('handled')
      expect(await booked()).toEqual(['a payment'])
    })

    it('has its keys in the same place as replayKey, so that a job and a webhook share one', async () => {
      const { inbox, other, book, booked } = await open(database, { replayKey: ({ event }) => event.type })
      const key = 'transaction.purchase.successful'
      expect((await other.once(key, (client) => book(client, 'the job'))).outcome).toBe('handled')
      expect((await inbox.handle(newWebhook(), (client) => book(client))).outcome).toBe('duplicate')
      expect(await booked()).toEqual(['the job'])
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

  describe('once, while an endpoint with "replay: inbox" has claimed the key,', () => {
    const inProgress = { code: 'ERR_DELIVERY_IN_PROGRESS', status: 409, retryAfterSeconds: 10 }

    /** The job and the endpoint are two processes. */
    async function claimed() {
      const opened = await open(database, { leaseSeconds: 60 })
      const { token } = await opened.inbox.claim('key')
      const handler = vi.fn()
      await expect(opened.other.once('key', handler)).rejects.toMatchObject(inProgress)
      expect(handler).not.toHaveBeenCalled()
      return { ...opened, token }
    }

    it('is refused with 409, and is a duplicate when the endpoint has handled it', async () => {
      const { inbox, other, token, book, booked, keys } = await claimed()
      await inbox.commit('key', token)
      expect(await other.once('key', (client) => book(client))).toEqual({ outcome: 'duplicate' })
      expect(await booked()).toEqual([])
      expect(await keys()).toEqual(['key'])
    })

    it('leaves the claim as it is', async () => {
      const { inbox, other } = await claimed()
      expect((await other.claim('key')).status).toBe('in-progress')
      expect((await inbox.claim('key')).status).toBe('in-progress')
    })

    it('is refused with 409, and is done when the endpoint has failed', async () => {
      const { inbox, other, token, book, booked } = await claimed()
      await inbox.release('key', token)
      expect((await other.once('key', (client) => book(client))).outcome).toBe('handled')
      expect((await inbox.claim('key')).status).toBe('done')
      expect(await booked()).toEqual(['a payment'])
    })

    it('is refused with 409, and is done when the lease has ended, after which a late commit changes nothing', async () => {
      const { inbox, other, token, book, booked, advance } = await claimed()
      await advance(61)
      expect((await other.once('key', (client) => book(client))).outcome).toBe('handled')
      await inbox.commit('key', token)
      expect(await other.once('key', (client) => book(client))).toEqual({ outcome: 'duplicate' })
      expect(await booked()).toEqual(['a payment'])
    })

    it('says what to do if a handler of the same inbox has called it', async () => {
      const { inbox } = await open(database)
      const { token } = await inbox.claim('key')
      const handler = vi.fn()
      await expect(inbox.once('key', handler)).rejects.toMatchObject({
        ...inProgress,
        message: expect.stringContaining('give inbox.once a key that "replayKey" does not make') as string,
      })
      expect(handler).not.toHaveBeenCalled()
      await inbox.release('key', token)
      expect((await inbox.once('key', () => 5)).outcome).toBe('handled')
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
        message: expect.stringContaining('Run inbox.migrate() or schema.sql') as string,
        cause: { code: database.noTable },
      })
      expect(handler).not.toHaveBeenCalled()
      await expect(inbox.claim('key')).rejects.toThrow('Run inbox.migrate() or schema.sql')
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

    it('creates a table whose name is a word of SQL', async () => {
      const { run, inbox: makeInbox } = database.connect()
      const inbox = makeInbox({ table: 'order' })
      await inbox.migrate()
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      await run(`DROP TABLE ${database.quoted('order')}`)
    })
  })

  describe('prune', () => {
    it('deletes keys that were handled or lapsed longer ago than ttlSeconds', async () => {
      const { inbox, advance, keys } = await open(database, { ttlSeconds: 400, leaseSeconds: 10 })
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

    it('deletes in batches, until nothing is left or the signal aborts', async () => {
      const { inbox, run, table, keys } = await open(database)
      await run(database.insertOld(table, 20_000))
      expect(await inbox.prune()).toBe(20_000)
      await run(database.insertOld(table, 10_001))
      const stop = new AbortController()
      const pruning = inbox.prune({ signal: stop.signal })
      stop.abort(new Error('shutting down'))
      await expect(pruning).rejects.toThrow('shutting down')
      expect(await keys()).toHaveLength(1)
      await expect(inbox.prune({ signal: stop.signal })).rejects.toThrow('shutting down')
      expect(await inbox.prune({ signal: new AbortController().signal })).toBe(1)
    })
  })

  describe('as a replay store', () => {
    for (const { name, run } of replayStoreCases(async (times) => {
      const { inbox, other, advance } = await open(database, times)
      return { store: inbox, other, advance }
    })) {
      it(name, run)
    }

    it('stores a long key and one with a NUL as their SHA-256', async () => {
      const { inbox, keys } = await open(database)
      for (const key of ['a\0b', 'x'.repeat(256), 'sha256:', 'x'.repeat(255)]) await inbox.claim(key)
      const stored = await keys()
      expect(stored.filter((key) => /^sha256:[0-9a-f]{64}$/.test(key))).toHaveLength(3)
      expect(stored).toContain('x'.repeat(255))
    })

    it.each(['commit', 'release'] as const)(
      'does not treat the claim of an adapter as a duplicate, and ignores a late %s',
      async (end) => {
        const { inbox, other, book, booked } = await open(database, { replayKey: () => 'key' })
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
      const failing = inbox.handle(webhook, () => {
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect((await inbox.claim('key')).status).toBe('in-progress')
      await inbox.release('key', token)
      expect((await inbox.claim('key')).status).toBe('new')
      expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
    })
  })
}
