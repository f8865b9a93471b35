import { newProof, newWebhook, sentAgain, webhookOf } from '@service-signature/contract/inbox-cases'
import { describe, expect, it, vi } from 'vitest'
import { DOCUMENT, open, PLAIN, useEngine } from './support/open.js'

const engine = useEngine()

describe.each([PLAIN, DOCUMENT])('the item in a transaction of $name', (library) => {
  it('lets the transaction succeed once', async () => {
    const { inbox, other, book, booked, items, table } = await open(engine(), library)
    const webhook = newWebhook()
    expect(await book(webhook, `${table} 1`)).toBe('handled')
    expect(await book(webhook, `${table} 2`)).toBe('duplicate')
    expect(await book(sentAgain(webhook), `${table} 3`, other)).toBe('duplicate')
    expect([await booked(`${table} 1`), await booked(`${table} 2`), await booked(`${table} 3`)]).toEqual([
      true,
      false,
      false,
    ])
    expect([...(await items()).keys()]).toHaveLength(1)
    expect((await inbox.claim([...(await items()).keys()][0]!)).status).toBe('done')
  })

  it('accepts a signature without an event', async () => {
    const { book, table } = await open(engine(), library)
    const proof = newProof()
    expect(await book(proof, `${table} 1`)).toBe('handled')
    expect(await book(sentAgain(proof), `${table} 2`)).toBe('duplicate')
  })

  it('is written with the payment or not at all, if a condition of the payment fails', async () => {
    const { book, items, table, inbox, transact, payment } = await open(engine(), library)
    expect(await book(newWebhook(), table)).toBe('handled')
    const webhook = newWebhook()
    // The payment is there already, by another delivery. That is not a duplicate of this delivery.
    await expect(book(webhook, table)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }],
    })
    expect((await items()).size).toBe(1)
    expect(await book(webhook, `${table} free`)).toBe('handled')
    // Both conditions fail.
    const both = transact([payment(table), await inbox.item(webhook)])
    expect(inbox.isDuplicate(await both.catch((error: unknown) => error))).toBe(true)
  })

  it('lets one of 20 transactions at once succeed; the others conflict or are duplicates', async () => {
    const { inbox, table, transact, payment, booked } = await open(engine(), library)
    const webhook = newWebhook()
    const attempts = Array.from({ length: 20 }, async (_, index) => {
      const entries = [await inbox.item(sentAgain(webhook)), payment(`${table} ${index}`)]
      return transact(entries).then(
        () => 'handled',
        (error: unknown) => (inbox.isDuplicate(error) ? 'duplicate' : reasonsOf(error)[0]!.Code),
      )
    })
    const outcomes = await Promise.all(attempts)
    expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(1)
    const others = outcomes.filter((outcome) => outcome !== 'handled')
    for (const other of others) expect(['duplicate', 'TransactionConflict']).toContain(other)
    const ids = outcomes.map((_, index) => `${table} ${index}`)
    expect((await Promise.all(ids.map(booked))).filter(Boolean)).toHaveLength(1)
    expect(await inbox.claim((await inboxKey(inbox, webhook))!)).toMatchObject({ status: 'done' })
  })

  it('reports a conflict as what it is, and a claim meanwhile as in progress', async () => {
    const { inbox, other, transact, book, table } = await open(engine(), library, { replayKey: () => 'key' })
    const webhook = newWebhook()
    const reported: unknown[] = []
    engine().inTransaction = async () => {
      engine().inTransaction = () => undefined
      reported.push(await other.claim('key'))
      const conflict = transact([await other.item(webhook)])
      const error = await conflict.catch((thrown: unknown) => thrown)
      reported.push(reasonsOf(error))
      reported.push(other.isDuplicate(error))
      await expect(inbox.commit('key', 'token')).rejects.toThrow('Transaction is ongoing for the item')
    }
    expect(await book(webhook, table)).toBe('handled')
    expect(reported).toEqual([
      { status: 'in-progress', token: '' },
      [expect.objectContaining({ Code: 'TransactionConflict' })],
      false,
    ])
    expect(await book(webhook, `${table} 2`)).toBe('duplicate')
  })

  it('succeeds again after ttlSeconds, although time to live has not deleted the item yet', async () => {
    const { book, advance, items, table } = await open(engine(), library, { ttlSeconds: 100 })
    const webhook = newWebhook()
    expect(await book(webhook, `${table} 1`)).toBe('handled')
    await advance(90)
    expect(await book(webhook, `${table} 2`)).toBe('duplicate')
    await advance(12)
    expect((await items()).size).toBe(1)
    expect(await book(webhook, `${table} 3`)).toBe('handled')
    await advance(90)
    expect(await book(webhook, `${table} 4`)).toBe('duplicate')
  })

  it.each(['commit', 'release'] as const)(
    'does not treat the claim of an adapter as a duplicate, and ignores a late %s',
    async (end) => {
      const { inbox, other, book, table } = await open(engine(), library, { replayKey: () => 'key' })
      const webhook = newWebhook()
      const { token } = await inbox.claim('key')
      expect(await book(webhook, `${table} 1`)).toBe('handled')
      expect((await other.claim('key')).status).toBe('done')
      await inbox[end]('key', token)
      expect((await other.claim('key')).status).toBe('done')
      expect(await book(webhook, `${table} 2`)).toBe('duplicate')
    },
  )

  it('is a duplicate of a delivery that the replay store has committed', async () => {
    const { inbox, book, table } = await open(engine(), library, { replayKey: () => 'key' })
    await inbox.commit('key', (await inbox.claim('key')).token)
    expect(await book(newWebhook(), table)).toBe('duplicate')
  })

  it('takes a key of your own, which is in the same place as those of replayKey', async () => {
    const { inbox, book, table } = await open(engine(), library, { replayKey: ({ event }) => event.type })
    expect(await book('intent:int_1:PROCESSED', `${table} 1`)).toBe('handled')
    expect(await book('intent:int_1:PROCESSED', `${table} 2`)).toBe('duplicate')
    expect(await book('intent:int_1:PROCESSED ', `${table} 3`)).toBe('handled')
    expect(await book('transaction.purchase.successful', `${table} 4`)).toBe('handled')
    expect(await book(newWebhook(), `${table} 5`)).toBe('duplicate')
    await expect(inbox.item('')).rejects.toThrow(RangeError)
    await expect(inbox.item('x'.repeat(256))).rejects.toThrow(RangeError)
    await expect(inbox.item(5 as never)).rejects.toThrow(TypeError)
    await expect(inbox.item('\ud800')).rejects.toThrow(TypeError)
  })

  it.each([
    `it's; DROP TABLE payments; --`,
    'Umlaute \u00e4, \u{1f600}, and \r\n\t\u0001',
    '#key :now {"S": "x"} ${value}',
    '\u20ac'.repeat(255),
  ])('stores the key %j as it is', async (key) => {
    const { book, items, table } = await open(engine(), library)
    expect(await book(key, `${table} 1`)).toBe('handled')
    expect(await book(key, `${table} 2`)).toBe('duplicate')
    expect([...(await items()).keys()]).toEqual([key])
  })

  it('does not mistake a key for another one that differs in case, an accent or a space at its end', async () => {
    const { book, table } = await open(engine(), library)
    const keys = ['key', 'KEY', 'k\u00e9y', 'ke\u0301y', 'key ', 'key\0']
    for (const [index, key] of keys.entries()) {
      expect(await book(key, `${table} ${index}`), JSON.stringify(key)).toBe('handled')
    }
  })

  it('keeps two accounts with equal bodies apart', async () => {
    const { book, table } = await open(engine(), library)
    const body = Buffer.from(newWebhook().rawBody).toString()
    for (const key of ['key_of_berlin', 'key_of_madrid']) {
      expect(await book(webhookOf(body, key), `${table} ${key}`)).toBe('handled')
      expect(await book(webhookOf(body, key), `${table} ${key} 2`)).toBe('duplicate')
    }
  })

  it('tells its item from those of other inboxes in the same transaction', async () => {
    const one = await open(engine(), library)
    const two = await open(engine(), library)
    const webhook = newWebhook()
    expect(await two.book(webhook, two.table)).toBe('handled')
    const both = [await one.inbox.item(webhook), await two.inbox.item(webhook)]
    const error = await one.transact(both).catch((thrown: unknown) => thrown)
    expect([one.inbox.isDuplicate(error), two.inbox.isDuplicate(error)]).toEqual([false, true])
    expect((await one.items()).size).toBe(0)
  })

  it('may be with a key of your own in the same transaction', async () => {
    const { inbox, transact, items } = await open(engine(), library)
    const entries = async () => [await inbox.item(newWebhook()), await inbox.item('intent:int_1')]
    await transact(await entries())
    const error = await transact(await entries()).catch((thrown: unknown) => thrown)
    expect(inbox.isDuplicate(error)).toBe(true)
    expect((await items()).size).toBe(2)
  })

  it('is not booked a second time when the SDK repeats a transaction whose answer was lost', async () => {
    const { book, booked, table } = await open(engine(), library)
    const after = vi.fn((call: string) => call !== 'TransactWriteItems' || after.mock.calls.length > 1)
    engine().after = after
    expect(await book(newWebhook(), table)).toBe('handled')
    engine().after = () => undefined
    expect(after).toHaveBeenCalledTimes(2)
    expect(await booked(table)).toBe(true)
  })

  it('is a duplicate after a transaction whose answer was lost for good', async () => {
    const config = { maxAttempts: 1 }
    const { book, booked, table } = await open(engine(), library, {}, config)
    engine().after = (call) => call !== 'TransactWriteItems'
    const webhook = newWebhook()
    await expect(book(webhook, table)).rejects.toThrow('socket hang up')
    engine().after = () => undefined
    expect(await book(webhook, `${table} 2`)).toBe('duplicate')
    expect([await booked(table), await booked(`${table} 2`)]).toEqual([true, false])
  })
})

/** The key that the inbox stores for a webhook. */
async function inboxKey(
  inbox: { item: (webhook: never) => Promise<unknown> },
  webhook: unknown,
): Promise<string | undefined> {
  const { Put } = (await inbox.item(webhook as never)) as { Put: { Item: { key: string | { S: string } } } }
  const { key } = Put.Item
  return typeof key === 'string' ? key : key.S
}

function reasonsOf(error: unknown): readonly { readonly Code: string }[] {
  return (error as { CancellationReasons: { Code: string }[] }).CancellationReasons
}
