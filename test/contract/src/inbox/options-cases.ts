import type { SignatureProof, VerifiedWebhook } from '@service-signature/core'
import type { TransactionInboxOptions } from '@service-signature/inbox'
import { expect, it, vi } from 'vitest'
import type { TestInbox } from './open.js'
import { newProof, newWebhook } from './webhooks.js'

/**
 * The options that every inbox with transactions checks.
 *
 * @param owner the function that makes it
 * @param longest how many characters a part of the table's name may have
 */
export function optionsCases(owner: string, make: (options?: never) => unknown, longest: number): void {
  const noFunction = '"replayKey" must be a function that makes a key of a delivery, got'
  it.each([
    [{ table: '' }, TypeError, '"table" must be a name, or a schema and a name'],
    [{ table: 'a.b.c' }, TypeError, '"table"'],
    [{ table: 'a.' }, TypeError, '"table"'],
    [{ table: 'Inbox' }, TypeError, '"table"'],
    [{ table: '1inbox' }, TypeError, '"table"'],
    [{ table: 'inbox"; DROP TABLE orders; --' }, TypeError, '"table"'],
    [{ table: 'inbox`; DROP TABLE orders; --' }, TypeError, '"table"'],
    [{ table: 'x'.repeat(longest + 1) }, TypeError, '"table"'],
    [{ table: 5 }, TypeError, '"table"'],
    [{ replayKey: 'id' }, TypeError, `${noFunction} string`],
    [{ replayKey: null }, TypeError, `${noFunction} null`],
    [{ waitSeconds: 0 }, RangeError, '"waitSeconds" must be greater than 0'],
    [{ waitSeconds: 3601 }, RangeError, '"waitSeconds"'],
    [{ timeoutSeconds: 0 }, RangeError, '"timeoutSeconds" must be greater than 0'],
    [{ timeoutSeconds: '5' }, TypeError, '"timeoutSeconds"'],
    [{ leaseSeconds: 0 }, RangeError, '"leaseSeconds"'],
    [{ ttlSeconds: -1 }, RangeError, '"ttlSeconds"'],
    [{ ttlSeconds: 389 }, RangeError, '"ttlSeconds" must be at least 390, got 389'],
    [{ ttl: 60 }, TypeError, `${owner} has no option "ttl". Did you mean "ttlSeconds"?`],
    [null, TypeError, `${owner}: expected an options object, got null`],
  ])('refuses the options %j', (options, type, message) => {
    expect(() => make(options as never)).toThrow(type)
    expect(() => make(options as never)).toThrow(message)
  })

  it('remembers for 30 days, and leases for a minute, unless the options say otherwise', () => {
    expect(make()).toMatchObject({ ttlSeconds: 2_592_000, leaseSeconds: 60 })
    const options = { ttlSeconds: 86_400, leaseSeconds: 5 }
    expect(make(options as never)).toMatchObject(options)
  })
}

interface Recording {
  readonly record: (webhook: SignatureProof, query: () => PromiseLike<unknown>) => Promise<boolean>
}

/**
 * The arguments that every inbox over a pool checks before it uses the database.
 *
 * @param make an inbox over a fake pool, and the statements that it has sent
 */
export function argumentCases(
  make: (options?: TransactionInboxOptions) => {
    readonly inbox: TestInbox & Recording
    readonly statements: readonly unknown[]
  },
): void {
  it.each([
    ['nothing', undefined],
    ['an event', { type: 'transaction.purchase.successful' }],
    ['a body', { rawBody: new Uint8Array() }],
    ['a text as the body', { rawBody: 'text', keyFingerprint: 'sha256:0' }],
    ['a copy of a webhook', { ...newWebhook() }],
  ])('refuses %s instead of a verified webhook', async (_what, value) => {
    const webhook = value as unknown as SignatureProof
    const { inbox, statements } = make()
    const handler = vi.fn()
    const expected = {
      constructor: TypeError,
      message: expect.stringContaining(
        'The inbox: expected a webhook that was verified, such as req.webhook',
      ) as string,
    }
    await expect(inbox.handle(webhook, handler)).rejects.toMatchObject(expected)
    await expect(inbox.record(webhook, handler)).rejects.toMatchObject(expected)
    expect(handler).not.toHaveBeenCalled()
    expect(statements).toEqual([])
  })

  it('refuses a handler that is not a function', async () => {
    const { inbox, statements } = make()
    const expected = 'inbox.handle: expected a handler, (client) => Promise, got undefined'
    await expect(inbox.handle(newWebhook(), undefined as never)).rejects.toThrow(expected)
    expect(statements).toEqual([])
  })

  it.each([
    ['a replayKey that returns nothing', () => '', newWebhook(), '"replayKey" must return a string'],
    ['a signature without an event', ({ event }: VerifiedWebhook) => event.type, newProof(), 'verify()'],
  ])('refuses %s', async (_what, replayKey, webhook, message) => {
    const { inbox, statements } = make({ replayKey })
    const handler = vi.fn()
    await expect(inbox.handle(webhook, handler)).rejects.toThrow(TypeError)
    await expect(inbox.handle(webhook, handler)).rejects.toThrow(message)
    expect(handler).not.toHaveBeenCalled()
    expect(statements).toEqual([])
  })
}
