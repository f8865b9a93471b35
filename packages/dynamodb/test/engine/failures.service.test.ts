import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import { newWebhook } from '@service-signature/contract/inbox-cases'
import { serviceSignature } from '@service-signature/lambda'
import { sign } from '@service-signature/core/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clientOf, DOCUMENT, failWith, open, PLAIN, useEngine } from './support/open.js'
import { isMissing } from '@service-signature/contract/services'

const engine = useEngine()
const ONCE = { maxAttempts: 1 }

afterEach(() => {
  engine().before = () => undefined
  engine().after = () => undefined
})

function cancelWith(CancellationReasons: readonly { readonly Code: string }[]): void {
  failWith(engine(), 'TransactionCanceledException', 'TransactWriteItems', 400, { CancellationReasons })
}

describe.skipIf(isMissing('drivers')).each([PLAIN, DOCUMENT])('over $name', (library) => {
  it.each([
    [
      'AccessDeniedException',
      'the role may not use the table. Grant it dynamodb:PutItem, and dynamodb:DeleteItem for "replay: inbox", on the table ' +
        'of the inbox.',
    ],
    ['ExpiredTokenException', 'the AWS credentials have expired. Make a new client, or new credentials.'],
    ['UnrecognizedClientException', 'the AWS credentials are not valid. Give the client others.'],
    [
      'ProvisionedThroughputExceededException',
      'the table is throttled. Raise its capacity, or make it on-demand.',
    ],
    ['ThrottlingException', 'the table is throttled. Raise its capacity, or make it on-demand.'],
    ['InternalServerError', 'the reason is in "cause". A retry can be handled.'],
  ])('refuses a delivery with 503 and the fix after %s, before the handler', async (type, fix) => {
    const { inbox } = await open(engine(), library, {}, ONCE)
    failWith(engine(), type)
    const handler = vi.fn()
    const onRejected = vi.fn()
    const endpoint = serviceSignature({ secret: 'secret', replay: inbox, onRejected }, handler)
    const body = JSON.stringify({ id: type })
    const headers = { 'service-signature': sign(body, { secret: 'secret' }) }
    const event = { version: '2.0', headers, body, isBase64Encoded: false, requestContext: { http: {} } }
    expect(await endpoint(event as never, {})).toMatchObject({ statusCode: 503 })
    expect(handler).not.toHaveBeenCalled()
    const expected = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, retryAfterSeconds: 10 }
    await expect(inbox.claim('key')).rejects.toMatchObject({
      ...expected,
      message: `The database of the inbox failed: ${fix}`,
      cause: expect.any(DynamoDBServiceException) as object,
    })
  })

  it('names the fix if the table is missing', async () => {
    const { make } = await open(engine(), library)
    const missing = make({ table: 'missing' })
    await expect(missing.claim('key')).rejects.toThrow(
      'the table of the inbox does not exist in this region. Run inbox.migrate(), or create it with your stack.',
    )
    const cause = { name: 'ResourceNotFoundException' }
    await expect(missing.commit('key', 'token')).rejects.toMatchObject({ cause })
    await expect(missing.release('key', 'token')).rejects.toMatchObject({ cause })
  })

  it('names the fix if the table has another key', async () => {
    const { make } = await open(engine(), library)
    const wrong = make({ table: 'payments' })
    await expect(wrong.claim('key')).rejects.toThrow(
      'the table has another key. It must have "key" (string) as its partition key, and no sort key.',
    )
  })

  it('refuses while DynamoDB is away, and works when it is back', async () => {
    const { inbox, book, booked, table } = await open(engine(), library, {}, ONCE)
    const webhook = newWebhook()
    await engine().kill()
    await expect(inbox.claim('key')).rejects.toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE' })
    await expect(book(webhook, table)).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      cause: { code: 'ECONNREFUSED' },
    })
    await engine().restart()
    expect((await inbox.claim('key')).status).toBe('new')
    expect(await book(webhook, table)).toBe('handled')
    expect(await booked(table)).toBe(true)
  })

  it('stops waiting after timeoutSeconds, aborts the request, and releases the claim with the next try', async () => {
    const { inbox, items, make, table } = await open(engine(), library, {}, ONCE)
    let end = (): void => undefined
    engine().before = (call) => {
      if (call === 'PutItem') return new Promise<void>((resolve) => (end = resolve))
      if (call === 'DeleteItem') throw new Error('The network is down')
      return undefined
    }
    const impatient = make({ table, timeoutSeconds: 0.2 })
    await expect(impatient.claim('key')).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      message: expect.stringMatching(
        /^The database of the inbox failed: there was no answer within 0.2 s\. /,
      ) as string,
    })
    // Its release is lost as well, and the claim is executed late.
    await vi.waitFor(() => {
      expect(engine().calls.at(-1)).toBe('DeleteItem')
    })
    engine().before = () => undefined
    end()
    await vi.waitFor(async () => {
      expect((await items()).size).toBe(1)
    })
    expect((await inbox.claim('key')).status).toBe('in-progress')
    failWith(engine(), 'InternalServerError', 'DeleteItem')
    await expect(impatient.claim('key')).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      cause: { name: 'InternalServerError' },
    })
    engine().before = () => undefined
    expect((await impatient.claim('key')).status).toBe('new')
  })

  it('releases a claim whose answer was lost at once, for every process', async () => {
    const { inbox, other } = await open(engine(), library, {}, ONCE)
    engine().after = (call) => call !== 'PutItem'
    await expect(inbox.claim('key')).rejects.toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE' })
    engine().after = () => undefined
    await vi.waitFor(async () => {
      expect((await other.claim('key')).status).toBe('new')
    })
  })

  it.each<[failure: string, reason: string, message: string]>([
    [
      'ProvisionedThroughputExceeded',
      'its own table is throttled',
      'the table is throttled. Raise its capacity, or make it on-demand.',
    ],
    [
      'ThrottlingError',
      'its own table is throttled',
      'the table is throttled. Raise its capacity, or make it on-demand.',
    ],
    [
      'ValidationError',
      'its own table has another key',
      'the table has another key. It must have "key" (string) as its partition key, and no sort key.',
    ],
    ['DuplicateItem', 'of something new', 'the reason is in "cause". A retry can be handled.'],
  ])('refuses a transaction with 503 if %s, because %s', async (Code, _reason, message) => {
    const { inbox, payment, booked, table } = await open(engine(), library, {}, ONCE)
    const refused = () => inbox.handle(newWebhook(), [payment(table)])
    cancelWith([{ Code }, { Code: 'None' }])
    await expect(refused()).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      message: `The database of the inbox failed: ${message}`,
      cause: { name: 'TransactionCanceledException' },
    })
    // At an item of the merchant, it is the merchant's.
    cancelWith([{ Code: 'None' }, { Code }])
    await expect(refused()).rejects.toMatchObject({ name: 'TransactionCanceledException' })
    engine().before = () => undefined
    expect(await booked(table)).toBe(false)
  })

  it.each([
    'AccessDeniedException',
    'ValidationException',
    'ThrottlingException',
    'ResourceNotFoundException',
  ])('passes on that a transaction was refused with %s', async (type) => {
    const { inbox, payment, items, table } = await open(engine(), library, {}, ONCE)
    failWith(engine(), type, 'TransactWriteItems')
    const error = expect.objectContaining({ name: type, message: 'of the test' }) as unknown
    await expect(inbox.handle(newWebhook(), [payment(table)])).rejects.toEqual(error)
    await expect(inbox.once('key', [payment(table)])).rejects.toEqual(error)
    expect((await items()).size).toBe(0)
  })

  it.each(['InternalServerError', 'TransactionInProgressException'])(
    'refuses a transaction with 503 if its outcome is unknown, after %s',
    async (type) => {
      const { inbox, payment, table } = await open(engine(), library, {}, ONCE)
      failWith(engine(), type, 'TransactWriteItems', type === 'InternalServerError' ? 500 : 400)
      await expect(inbox.once('key', [payment(table)])).rejects.toMatchObject({
        code: 'ERR_REPLAY_STORE_UNAVAILABLE',
        message:
          'The database of the inbox failed: the end of the transaction was not confirmed. A retry finds out how it ended.',
        cause: { name: type },
      })
    },
  )

  it('refuses a transaction with 503 that is not answered in time', async () => {
    const { payment, make, table } = await open(engine(), library, {}, ONCE)
    engine().before = (call) => (call === 'TransactWriteItems' ? new Promise(() => undefined) : undefined)
    await expect(make({ table, timeoutSeconds: 0.05 }).once('key', [payment(table)])).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      message: expect.stringContaining('there was no answer within 0.05 s') as string,
    })
  })

  it('refuses a transaction with 503 and the fix without credentials', async () => {
    const credentials = () => Promise.reject(Object.assign(new Error(), { name: 'CredentialsProviderError' }))
    const { table } = await open(engine(), library)
    const inbox = library.connect(clientOf(engine(), { ...ONCE, credentials })).inbox({ table })
    const message =
      'The database of the inbox failed: there are no AWS credentials. Give the function or the process a role.'
    await expect(inbox.once('key', [])).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      message,
    })
    await expect(inbox.claim('key')).rejects.toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE', message })
  })

  it('passes on that the SDK could not make a request', async () => {
    const { inbox, items, table } = await open(engine(), library)
    const Item = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('of the item')
        },
      },
    )
    await expect(inbox.once('key', [{ Put: { TableName: table, Item } }])).rejects.toThrow('of the item')
    expect((await items()).size).toBe(0)
  })
})
