import type { WebhookError } from '@service-signature/core'
import { describe, expect, it, vi } from 'vitest'
import { Gate, open, type Opened, type TestDatabase } from './open.js'
import { newWebhook, sentAgain } from './webhooks.js'

interface Waiting {
  /** Resolves when a statement waits for the transaction that holds the key. */
  readonly isWaiting: () => Promise<unknown>
}

/** The behaviour of an inbox whose handlers may wait: equal deliveries wait for the one that is being handled. */
export function waitingCases(database: TestDatabase, { isWaiting }: Waiting): void {
  describe('while a delivery is being handled', () => {
    it('makes a second one wait, and reports it as a duplicate', async () => {
      const { inbox, other, book, booked } = await open(database)
      const webhook = newWebhook()
      const { first, end } = await begin((handler) => inbox.handle(webhook, handler), book)
      const handler = vi.fn()
      const second = other.handle(webhook, handler)
      await isWaiting()
      end.open()
      expect((await first).outcome).toBe('handled')
      expect((await second).outcome).toBe('duplicate')
      expect(handler).not.toHaveBeenCalled()
      expect(await booked()).toEqual(['a payment'])
    })

    it('makes a second one wait, and handles it when the first fails', async () => {
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

    it('handles one of 20 at once, and refuses those that two wait for already', async () => {
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

    it('makes two deliveries wait, and refuses the next at once', async () => {
      const { inbox, other, book, booked } = await open(database)
      const webhook = newWebhook()
      const { first, end } = await begin((handler) => inbox.handle(webhook, handler), book)
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

    it('makes two calls of once wait, and refuses the next at once', async () => {
      const { inbox, book, booked } = await open(database)
      const { first, end } = await begin((handler) => inbox.once('key', handler), book)
      const handler = vi.fn()
      const waiting = [inbox.once('key', handler), inbox.once('key', handler)]
      await expect(inbox.once('key', handler)).rejects.toMatchObject({ code: 'ERR_DELIVERY_IN_PROGRESS' })
      end.open()
      expect((await first).outcome).toBe('handled')
      for (const each of waiting) expect((await each).outcome).toBe('duplicate')
      expect(handler).not.toHaveBeenCalled()
      expect(await booked()).toEqual(['a payment'])
    })
  })
}

/** Begins to handle a delivery. Its handler waits until `end` is opened, and then books. */
async function begin<Outcome>(
  handle: (handler: (client: unknown) => Promise<string>) => Promise<Outcome>,
  book: Opened['book'],
) {
  const [began, end] = [new Gate(), new Gate()]
  const first = handle(async (client) => {
    began.open()
    await end.promise
    return book(client)
  })
  await began.promise
  return { first, end }
}
