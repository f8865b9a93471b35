import {
  CreateTableCommand,
  DynamoDBServiceException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { newWebhook } from '@service-signature/contract/inbox-cases'
import { serviceSignature } from '@service-signature/lambda'
import { sign } from '@service-signature/core/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clientOf, createTable, DOCUMENT, open, PLAIN, useEngine } from './support/open.js'

const engine = useEngine()
const ONCE = { maxAttempts: 1 }

afterEach(() => {
  engine().before = () => undefined
  engine().after = () => undefined
})

/** An answer with an error of DynamoDB. */
function failWith(type: string, call = 'PutItem', statusCode = 400, more: object = {}): void {
  engine().before = (made) => {
    if (made !== call) return
    throw refusal(type, statusCode, more)
  }
}

function cancelWith(CancellationReasons: readonly { readonly Code: string }[]): void {
  failWith('TransactionCanceledException', 'TransactWriteItems', 400, { CancellationReasons })
}

describe.each([PLAIN, DOCUMENT])('over $name', (library) => {
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
    failWith(type)
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
    failWith('InternalServerError', 'DeleteItem')
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
    failWith(type, 'TransactWriteItems')
    const error = expect.objectContaining({ name: type, message: 'of the test' }) as unknown
    await expect(inbox.handle(newWebhook(), [payment(table)])).rejects.toEqual(error)
    await expect(inbox.once('key', [payment(table)])).rejects.toEqual(error)
    expect((await items()).size).toBe(0)
  })

  it.each(['InternalServerError', 'TransactionInProgressException'])(
    'refuses a transaction with 503 if its outcome is unknown, after %s',
    async (type) => {
      const { inbox, payment, table } = await open(engine(), library, {}, ONCE)
      failWith(type, 'TransactWriteItems', type === 'InternalServerError' ? 500 : 400)
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

describe('migrate', () => {
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)

  it('creates the table with its time to live, also in several processes at once', async () => {
    const { make, client } = await open(engine(), PLAIN)
    const fresh = [make({ table: 'fresh' }), make({ table: 'fresh' }), make({ table: 'fresh' })]
    warnings.mockClear()
    await Promise.all(fresh.map((each) => each.migrate()))
    expect(warnings).not.toHaveBeenCalled()
    const TimeToLiveSpecification = { AttributeName: 'expires_at', Enabled: true }
    const again = client.send(new UpdateTimeToLiveCommand({ TableName: 'fresh', TimeToLiveSpecification }))
    await expect(again).rejects.toThrow('TimeToLive is active on the attribute expires_at')
    expect((await fresh[0]!.claim('key')).status).toBe('new')
  })

  it('needs no right but to describe a table that is there, and keeps its data', async () => {
    const { inbox, items } = await open(engine(), PLAIN)
    await inbox.claim('key')
    warnings.mockClear()
    const { calls } = engine()
    const before = calls.length
    engine().before = (call) => {
      if (call !== 'DescribeTable') throw refusal('AccessDeniedException')
    }
    await inbox.migrate()
    expect(calls.slice(before)).toEqual(['DescribeTable', 'DescribeTimeToLive'])
    engine().before = () => undefined
    expect((await items()).size).toBe(1)
    expect(warnings).not.toHaveBeenCalled()
  })

  it.each([
    ['has no time to live', undefined],
    ['has its time to live in another attribute', 'until'],
  ])('warns with the fix if a table %s', async (_what, AttributeName) => {
    const { make, client } = await open(engine(), PLAIN)
    const TableName = `ttl-${String(AttributeName)}`
    await createTable(client, TableName, 'key')
    if (AttributeName !== undefined) {
      const TimeToLiveSpecification = { AttributeName, Enabled: true }
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
    }
    warnings.mockClear()
    await make({ table: TableName }).migrate()
    expect(warnings.mock.calls).toEqual([
      [
        `The table "${TableName}" of the inbox keeps old keys forever, because its time to live is not on. Run: aws dynamodb ` +
          `update-time-to-live --table-name ${TableName} --time-to-live-specification Enabled=true,AttributeName=expires_at`,
        { type: 'ServiceSignatureWarning', code: 'SERVICE_SIGNATURE_DYNAMODB_TIME_TO_LIVE' },
      ],
    ])
  })

  it('refuses a table with another key', async () => {
    const { make, client } = await open(engine(), PLAIN)
    const fix = 'Set "table" to another name, or create it with this key.'
    await expect(make({ table: 'payments' }).migrate()).rejects.toThrow(
      new Error(
        `The table "payments" is not that of an inbox: its key is "id" (S), not "key" (S) alone. ${fix}`,
      ),
    )
    const sorted = { TableName: 'sorted', BillingMode: 'PAY_PER_REQUEST' } as const
    await client.send(
      new CreateTableCommand({
        ...sorted,
        AttributeDefinitions: [
          { AttributeName: 'key', AttributeType: 'S' },
          { AttributeName: 'at', AttributeType: 'N' },
        ],
        KeySchema: [
          { AttributeName: 'key', KeyType: 'HASH' },
          { AttributeName: 'at', KeyType: 'RANGE' },
        ],
      }),
    )
    await expect(make({ table: 'sorted' }).migrate()).rejects.toThrow(
      'its key is "key" (S) and "at" (N), not',
    )
  })

  it('waits for a table that another process is creating', async () => {
    const { make, client } = await open(engine(), PLAIN)
    await createTable(client, 'being-created', 'key')
    const key = { AttributeName: 'key' }
    const TableStatus = vi
      .fn(() => 'ACTIVE')
      .mockReturnValueOnce('CREATING')
      .mockReturnValueOnce('CREATING')
    const described = () => ({
      ...{ TableName: 'being-created', TableStatus: TableStatus() },
      ...{ KeySchema: [{ ...key, KeyType: 'HASH' }], AttributeDefinitions: [{ ...key, AttributeType: 'S' }] },
    })
    engine().before = (call) => {
      if (call !== 'DescribeTable') return
      throw Object.assign(new Error(), { statusCode: 200, body: { Table: described() } })
    }
    await make({ table: 'being-created' }).migrate()
    expect(TableStatus).toHaveBeenCalledTimes(3)
  })

  it.each(['DescribeTable', 'CreateTable', 'UpdateTimeToLive'])(
    'passes on why it may not %s',
    async (call) => {
      const { make } = await open(engine(), PLAIN, {}, ONCE)
      failWith('AccessDeniedException', call)
      await expect(make({ table: `forbidden-${call}` }).migrate()).rejects.toMatchObject({
        name: 'AccessDeniedException',
      })
    },
  )
})

function refusal(type: string, statusCode = 400, more: object = {}): Error {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'of the test', ...more }
  return Object.assign(new Error(type), { statusCode, body })
}
