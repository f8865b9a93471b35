import { createVerifier } from '@service-signature/core'
import { sign, transactionEvent } from '@service-signature/core/testing'
import { newProof, newWebhook, sentAgain, webhookOf } from '@service-signature/contract/inbox-cases'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DOCUMENT, open, PLAIN, useEngine } from './support/open.js'
import { isMissing } from '@service-signature/contract/services'

const engine = useEngine()

afterEach(() => {
  engine().before = () => undefined
  engine().after = () => undefined
})

const IN_PROGRESS = { code: 'ERR_DELIVERY_IN_PROGRESS', status: 409, retryAfterSeconds: 10 }

describe.skipIf(isMissing('drivers')).each([PLAIN, DOCUMENT])('the transactions of $name', (library) => {
  it('book a delivery once', async () => {
    const { inbox, other, payment, book, booked, items, table } = await open(engine(), library)
    const webhook = newWebhook()
    const first = await inbox.handle(webhook, [payment(`${table} 1`)])
    expect(first).toMatchObject({ outcome: 'handled', result: { $metadata: { httpStatusCode: 200 } } })
    expect(await inbox.handle(sentAgain(webhook), [payment(`${table} 2`)])).toEqual({ outcome: 'duplicate' })
    expect(await book(sentAgain(webhook), `${table} 3`, other)).toBe('duplicate')
    expect([await booked(`${table} 1`), await booked(`${table} 2`), await booked(`${table} 3`)]).toEqual([
      true,
      false,
      false,
    ])
    expect([...(await items()).keys()]).toHaveLength(1)
    expect((await inbox.claim([...(await items()).keys()][0]!)).status).toBe('done')
  })

  it('book each of several deliveries, whichever of them were booked before', async () => {
    const { book, booked, table } = await open(engine(), library)
    expect(await book('a', `${table} a`)).toBe('handled')
    const keys = ['b', 'c', 'a']
    const outcomes = await Promise.all(keys.map((key) => book(key, `${table} ${key}`)))
    expect(outcomes).toEqual(['handled', 'handled', 'duplicate'])
    expect(await Promise.all(keys.map((key) => booked(`${table} ${key}`)))).toEqual([true, true, true])
  })

  it('are refused for a webhook that was handled, unless that failed', async () => {
    const { inbox, book, payment, table } = await open(engine(), library)
    const webhook = newWebhook()
    await expect(inbox.handle(webhook, () => Promise.reject(new Error('of the handler')))).rejects.toThrow(
      new Error('of the handler'),
    )
    expect(await book(webhook, table)).toBe('handled')
    await expect(inbox.handle(webhook, [payment(`${table} 2`)])).rejects.toThrow(
      'inbox.handle was called twice for one webhook',
    )
  })

  it('accept a signature without an event', async () => {
    const { book, table } = await open(engine(), library)
    const proof = newProof()
    expect(await book(proof, `${table} 1`)).toBe('handled')
    expect(await book(sentAgain(proof), `${table} 2`)).toBe('duplicate')
  })

  it.each(['array', 'function', 'async function'] as const)(
    'take the items from an %s, called once',
    async (kind) => {
      const { inbox, payment, booked, table } = await open(engine(), library)
      const make = vi.fn(() => [payment(table)])
      const items = { array: make(), function: make, 'async function': () => Promise.resolve(make()) }[kind]
      make.mockClear()
      expect((await inbox.once('key', items)).outcome).toBe('handled')
      expect((await inbox.once('key', items)).outcome).toBe('duplicate')
      expect(make).toHaveBeenCalledTimes(kind === 'array' ? 0 : 2)
      expect(await booked(table)).toBe(true)
    },
  )

  it('record a delivery that needs no item, and take 99 of them', async () => {
    const { inbox, items, payment, table } = await open(engine(), library)
    expect((await inbox.once('none', [])).outcome).toBe('handled')
    const many = (length: number) => Array.from({ length }, (_, index) => payment(`${table} ${index}`))
    const before = engine().calls.length
    await expect(inbox.once('many', many(100))).rejects.toThrow(
      new RangeError(
        'The inbox: a transaction has at most 99 items besides the key of the delivery, got 100',
      ),
    )
    expect(engine().calls).toHaveLength(before)
    expect((await inbox.once('many', many(99))).outcome).toBe('handled')
    expect([...(await items()).keys()].sort()).toEqual(['many', 'none'])
  })

  it.each<[what: string, items: unknown, got: string]>([
    ['nothing', undefined, 'undefined'],
    ['an item', { Put: {} }, 'object'],
    ['a function without a result', () => undefined, 'undefined'],
  ])('are not sent with %s', async (_what, items, got) => {
    const { inbox } = await open(engine(), library)
    const before = engine().calls.length
    const error = new TypeError(
      'The inbox: expected an array of items of a transaction, such as [{ Put: { TableName, Item } }], or a function that ' +
        `returns it, got ${got}`,
    )
    await expect(inbox.handle(newWebhook(), items as never)).rejects.toThrow(error)
    await expect(inbox.once('key', items as never)).rejects.toThrow(error)
    expect(engine().calls).toHaveLength(before)
  })

  it('write all or nothing, and pass on the error if a condition of the merchant fails', async () => {
    const { book, items, table, inbox, payment } = await open(engine(), library)
    expect(await book(newWebhook(), table)).toBe('handled')
    const webhook = newWebhook()
    // The payment is there already, by another delivery. That is not a duplicate of this delivery.
    await expect(book(webhook, table)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    await expect(inbox.once('key', [payment(`${table} 2`), payment(table)])).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    expect((await items()).size).toBe(1)
    expect(await book(webhook, `${table} free`)).toBe('handled')
    // Both conditions fail.
    expect(await book(sentAgain(webhook), table)).toBe('duplicate')
  })

  it('pass on the condition of the merchant that finds a handled item of the same or of another inbox', async () => {
    const one = await open(engine(), library)
    const two = await open(engine(), library)
    expect(await two.book('key', two.table)).toBe('handled')
    const itemOf = (table: string) => {
      const Key = library === PLAIN ? { key: { S: 'key' } } : { key: 'key' }
      const check = { TableName: table, Key, ConditionExpression: 'attribute_not_exists(#k)' }
      const names = {
        ExpressionAttributeNames: { '#k': 'key' },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }
      return { ConditionCheck: { ...check, ...names } } as never
    }
    const cancelled = { name: 'TransactionCanceledException' }
    await expect(one.inbox.once('key', [itemOf(two.table)])).rejects.toMatchObject(cancelled)
    await expect(two.inbox.once('another', [itemOf(two.table)])).rejects.toMatchObject(cancelled)
    expect([(await one.items()).size, (await two.items()).size]).toEqual([0, 1])
  })

  it('let one of 20 at once succeed; the others are refused with 409, or are duplicates', async () => {
    const { book, table, booked } = await open(engine(), library)
    const webhook = newWebhook()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        book(sentAgain(webhook), `${table} ${index}`).catch((error: unknown) => {
          expect(error).toMatchObject(IN_PROGRESS)
          return '409'
        }),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(1)
    const ids = outcomes.map((_, index) => `${table} ${index}`)
    expect((await Promise.all(ids.map(booked))).filter(Boolean)).toHaveLength(1)
    expect(await book(sentAgain(webhook), `${table} 21`)).toBe('duplicate')
  })

  it('are refused with 409 while another one writes the key, as is a claim', async () => {
    const { inbox, other, payment, book, booked, table } = await open(engine(), library, {
      replayKey: () => 'key',
    })
    const webhook = newWebhook()
    const reported: unknown[] = []
    const fail = (error: unknown) => reported.push(error)
    engine().inTransaction = async () => {
      engine().inTransaction = () => undefined
      reported.push(await other.claim('key'))
      await other.handle(sentAgain(webhook), [payment(`${table} 2`)]).catch(fail)
      await other.once('key', [payment(`${table} 3`)]).catch(fail)
      await expect(inbox.commit('key', 'token')).rejects.toMatchObject({
        code: 'ERR_REPLAY_STORE_UNAVAILABLE',
        cause: { name: 'TransactionConflictException' },
      })
    }
    expect(await book(webhook, table)).toBe('handled')
    const cause = { name: 'TransactionCanceledException' }
    expect(reported).toMatchObject([
      { status: 'in-progress', token: '' },
      { ...IN_PROGRESS, cause },
      { ...IN_PROGRESS, cause },
    ])
    expect([await booked(`${table} 2`), await booked(`${table} 3`)]).toEqual([false, false])
    expect(await book(sentAgain(webhook), `${table} 2`)).toBe('duplicate')
  })

  it('pass on a conflict at an item of the merchant', async () => {
    const { inbox, book, payment, table, items } = await open(engine(), library)
    const errors: unknown[] = []
    engine().inTransaction = async () => {
      engine().inTransaction = () => undefined
      errors.push(await inbox.once('another', [payment(table)]).catch((error: unknown) => error))
    }
    expect(await book(newWebhook(), table)).toBe('handled')
    expect(errors).toMatchObject([
      {
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      },
    ])
    expect((await items()).size).toBe(1)
  })

  it('succeed again after ttlSeconds, although time to live has not deleted the item yet', async () => {
    const { book, advance, items, table } = await open(engine(), library, { ttlSeconds: 400 })
    const webhook = newWebhook()
    const again = (id: string) => book(sentAgain(webhook), id)
    expect(await again(`${table} 1`)).toBe('handled')
    await advance(390)
    expect(await again(`${table} 2`)).toBe('duplicate')
    await advance(12)
    expect((await items()).size).toBe(1)
    expect(await again(`${table} 3`)).toBe('handled')
    await advance(390)
    expect(await again(`${table} 4`)).toBe('duplicate')
  })

  it('are refused if the verifier accepts a delivery for longer than ttlSeconds', async () => {
    const { inbox, payment, booked, table } = await open(engine(), library, { ttlSeconds: 390 })
    const body = JSON.stringify(transactionEvent())
    const verifier = createVerifier({ secret: 'secret', toleranceSeconds: 600 })
    const webhook = await verifier.verify(body, sign(body, { secret: 'secret' }))
    await expect(inbox.handle(webhook, [payment(table)])).rejects.toThrow(RangeError)
    expect(await booked(table)).toBe(false)
  })

  it.each(['commit', 'release'] as const)(
    'do not treat the claim of an adapter as a duplicate, and ignore a late %s',
    async (end) => {
      const { inbox, other, book, table } = await open(engine(), library, { replayKey: () => 'key' })
      const { token } = await inbox.claim('key')
      expect(await book(newWebhook(), `${table} 1`)).toBe('handled')
      expect((await other.claim('key')).status).toBe('done')
      await inbox[end]('key', token)
      expect((await other.claim('key')).status).toBe('done')
      expect(await book(newWebhook(), `${table} 2`)).toBe('duplicate')
    },
  )

  it('are duplicates of a delivery that the replay store has committed', async () => {
    const { inbox, book, table } = await open(engine(), library, { replayKey: () => 'key' })
    await inbox.commit('key', (await inbox.claim('key')).token)
    expect(await book(newWebhook(), table)).toBe('duplicate')
    expect(await book('key', table)).toBe('duplicate')
  })

  it('take a key of your own, which is in the same place as those of replayKey', async () => {
    const { inbox, book, table } = await open(engine(), library, { replayKey: ({ event }) => event.type })
    expect(await book('intent:int_1:PROCESSED', `${table} 1`)).toBe('handled')
    expect(await book('intent:int_1:PROCESSED', `${table} 2`)).toBe('duplicate')
    expect(await book('intent:int_1:PROCESSED ', `${table} 3`)).toBe('handled')
    expect(await book('transaction.purchase.successful', `${table} 4`)).toBe('handled')
    expect(await book(newWebhook(), `${table} 5`)).toBe('duplicate')
    const before = engine().calls.length
    const items = vi.fn()
    await expect(inbox.once('', items)).rejects.toThrow(RangeError)
    await expect(inbox.once('x'.repeat(256), items)).rejects.toThrow(RangeError)
    await expect(inbox.once(5 as never, items)).rejects.toThrow(TypeError)
    await expect(inbox.once('\ud800', items)).rejects.toThrow(TypeError)
    expect(items).not.toHaveBeenCalled()
    expect(engine().calls).toHaveLength(before)
  })

  it.each([
    `it's; DROP TABLE payments; --`,
    'Umlaute \u00e4, \u{1f600}, and \r\n\t\u0001',
    '#key :now {"S": "x"} ${value}',
    '\u20ac'.repeat(255),
  ])('store the key %j as it is', async (key) => {
    const { book, items, table } = await open(engine(), library)
    expect(await book(key, `${table} 1`)).toBe('handled')
    expect(await book(key, `${table} 2`)).toBe('duplicate')
    expect([...(await items()).keys()]).toEqual([key])
  })

  it('do not mistake a key for another one that differs in case, an accent or a space at its end', async () => {
    const { book, table } = await open(engine(), library)
    const keys = ['key', 'KEY', 'k\u00e9y', 'ke\u0301y', 'key ', 'key\0']
    for (const [index, key] of keys.entries()) {
      expect(await book(key, `${table} ${index}`), JSON.stringify(key)).toBe('handled')
    }
  })

  it('keep two accounts with equal bodies apart', async () => {
    const { book, table } = await open(engine(), library)
    const body = Buffer.from(newWebhook().rawBody).toString()
    for (const key of ['key_of_berlin', 'key_of_madrid']) {
      expect(await book(webhookOf(body, key), `${table} ${key}`)).toBe('handled')
      expect(await book(webhookOf(body, key), `${table} ${key} 2`)).toBe('duplicate')
    }
  })

  it('are not booked a second time when the SDK repeats one whose answer was lost', async () => {
    const { book, booked, table } = await open(engine(), library)
    const after = vi.fn((call: string) => call !== 'TransactWriteItems' || after.mock.calls.length > 1)
    engine().after = after
    expect(await book(newWebhook(), table)).toBe('handled')
    expect(after).toHaveBeenCalledTimes(2)
    expect(await booked(table)).toBe(true)
  })

  it('are refused with 503 if the answer was lost for good, and the retry is a duplicate', async () => {
    const config = { maxAttempts: 1 }
    const { book, booked, table } = await open(engine(), library, {}, config)
    engine().after = (call) => call !== 'TransactWriteItems'
    const webhook = newWebhook()
    await expect(book(webhook, table)).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      status: 503,
      message:
        'The database of the inbox failed: the end of the transaction was not confirmed. A retry finds out how it ended.',
      cause: { message: 'socket hang up' },
    })
    engine().after = () => undefined
    // Its idempotency token is another one: with the same, it would be handled twice.
    expect(await book(webhook, `${table} 2`)).toBe('duplicate')
    expect([await booked(table), await booked(`${table} 2`)]).toEqual([true, false])
  })
})

describe.skipIf(isMissing('drivers')).each([PLAIN, DOCUMENT])(
  'once over $name, against the claim of an adapter',
  (library) => {
    it('is refused with 409 while the claim is alive, and writes nothing', async () => {
      const { other, book, booked, items, table } = await open(engine(), library)
      const { token } = await other.claim('key')
      const claimed = await items()
      await expect(book('key', table)).rejects.toMatchObject({
        ...IN_PROGRESS,
        message: expect.stringContaining('is being handled elsewhere right now') as string,
      })
      expect(await booked(table)).toBe(false)
      expect(await items()).toEqual(claimed)
      await other.commit('key', token)
      expect(await book('key', table)).toBe('duplicate')
      expect(await booked(table)).toBe(false)
    })

    it('names both readings if this inbox has claimed the key', async () => {
      const { inbox, book, booked, table } = await open(engine(), library)
      await inbox.claim('key')
      await expect(book('key', table)).rejects.toThrow('give inbox.once a key that "replayKey" does not make')
      expect(await booked(table)).toBe(false)
    })

    it('ignores a claim that has lapsed or was released', async () => {
      const { inbox, other, book, advance, table } = await open(engine(), library)
      await other.claim('lapsed')
      await advance(62)
      expect(await book('lapsed', `${table} 1`)).toBe('handled')
      await inbox.release('released', (await inbox.claim('released')).token)
      expect(await book('released', `${table} 2`)).toBe('handled')
    })

    it('is booked once by an endpoint and a job with the same key', async () => {
      const { inbox, other, book, booked, table } = await open(engine(), library)
      const body = JSON.stringify(transactionEvent())
      const verifier = createVerifier({ secret: 'secret', replay: inbox, replayKey: () => 'key' })
      const job: unknown[] = []
      const { outcome } = await verifier.receive(body, sign(body, { secret: 'secret' }), async () => {
        job.push(await book('key', `${table} job`, other).catch((error: unknown) => error))
      })
      expect([outcome, job]).toMatchObject(['handled', [IN_PROGRESS]])
      expect(await book('key', `${table} job`, other)).toBe('duplicate')
      expect(await booked(`${table} job`)).toBe(false)
    })
  },
)
