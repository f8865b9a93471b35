import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { SignatureProof } from '@service-signature/core'
import { dynamoInbox, type InboxOptions } from '@service-signature/dynamodb'
import { newProof, newWebhook } from '@service-signature/contract/inbox-cases'
import { expect, it, vi } from 'vitest'

const client = new DynamoDBClient({ region: 'local', endpoint: 'http://127.0.0.1:9' })

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['options in place of the client', { client }],
  ['the configuration of a client', { region: 'eu-central-1' }],
  ['a client of another service or of another copy', { send: vi.fn(), config: {} }],
  ['a client of the SDK 2', { putItem: vi.fn(), config: { translateConfig: {} } }],
])('refuses %s', (_what, given) => {
  expect(() => dynamoInbox(given as DynamoDBClient)).toThrow(
    new TypeError(
      'dynamoInbox: expected a DynamoDBClient of "@aws-sdk/client-dynamodb" or a DynamoDBDocumentClient of ' +
        '"@aws-sdk/lib-dynamodb". If it is one, there are two copies: see "npm ls @aws-sdk/client-dynamodb"',
    ),
  )
})

it.each([
  [{ table: '' }, TypeError, '"table" must be a name of 3 to 255 characters: a-z, A-Z, 0-9, _, - and .'],
  [{ table: 'ab' }, TypeError, '"table"'],
  [{ table: 'x'.repeat(256) }, TypeError, '"table"'],
  [{ table: 'a table' }, TypeError, '"table"'],
  [{ table: 'arn:aws:dynamodb:eu-central-1:1:table/inbox' }, TypeError, '"table"'],
  [{ table: 5 }, TypeError, '"table"'],
  [
    { replayKey: 'id' },
    TypeError,
    '"replayKey" must be a function that makes a key of a delivery, got string',
  ],
  [{ timeoutSeconds: 0 }, RangeError, '"timeoutSeconds" must be greater than 0'],
  [{ timeoutSeconds: 3601 }, RangeError, '"timeoutSeconds"'],
  [{ leaseSeconds: 0 }, RangeError, '"leaseSeconds"'],
  [{ ttlSeconds: -1 }, RangeError, '"ttlSeconds"'],
  [{ ttlSeconds: 389 }, RangeError, '"ttlSeconds" must be at least 390, got 389'],
  [{ waitSeconds: 5 }, TypeError, 'dynamoInbox has no option "waitSeconds"'],
  [{ ttl: 60 }, TypeError, 'dynamoInbox has no option "ttl". Did you mean "ttlSeconds"?'],
])('refuses the options %j', (options, type, message) => {
  const make = () => dynamoInbox(client, options as InboxOptions)
  expect(make).toThrow(type)
  expect(make).toThrow(message)
})

it('remembers for 30 days, and leases for a minute, unless the options say otherwise', () => {
  expect(dynamoInbox(client)).toMatchObject({ ttlSeconds: 2_592_000, leaseSeconds: 60 })
  const options = { ttlSeconds: 86_400, leaseSeconds: 5 }
  expect(dynamoInbox(client, options)).toMatchObject(options)
})

/** The requests of a client that are sent, instead of sending them. */
function sentBy(each: DynamoDBClient | DynamoDBDocumentClient): unknown[] {
  const sent: unknown[] = []
  vi.spyOn(each, 'send').mockImplementation((command: { readonly input: unknown }) => {
    sent.push(command.input)
    return Promise.resolve({}) as never
  })
  return sent
}

it.each([
  ['DynamoDBClient', new DynamoDBClient({ region: 'local' })],
  ['DynamoDB', new DynamoDB({ region: 'local' })],
])('sends the key in attribute values, first and without a token, over a %s', async (_name, each) => {
  const sent = sentBy(each)
  const item = { Put: { TableName: 'payments', Item: { id: { S: '1' } } } }
  await dynamoInbox(each, { table: 'My-Stack.Inbox_1', ttlSeconds: 600 }).handle(newWebhook(), [item])
  const number = { N: expect.stringMatching(/^\d+(\.\d+)?$/) as string }
  const Put = {
    TableName: 'My-Stack.Inbox_1',
    Item: {
      key: { S: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      handled_at: number,
      expires_at: number,
    },
    ConditionExpression: 'attribute_not_exists(handled_at) OR expires_at < :now',
    ExpressionAttributeValues: { ':now': number },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
  expect(sent).toEqual([{ TransactItems: [{ Put }, item] }])
})

it.each([
  ['DynamoDBDocumentClient', DynamoDBDocumentClient.from(client)],
  ['DynamoDBDocument', DynamoDBDocument.from(client)],
])('sends the key in plain values, first and without a token, over a %s', async (_name, each) => {
  const sent = sentBy(each)
  const item = { Put: { TableName: 'payments', Item: { id: '1' } } }
  await dynamoInbox(each).once('key', [item])
  const number = expect.any(Number) as number
  const Put = {
    TableName: 'service_signature_inbox',
    Item: { key: 'key', handled_at: number, expires_at: number },
    ConditionExpression: 'attribute_not_exists(expires_at) OR expires_at < :now',
    ExpressionAttributeValues: { ':now': number },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
  expect(sent).toEqual([{ TransactItems: [{ Put }, item] }])
  // A document client shares its configuration with the plain client from which it is made.
  const plain = sentBy(client)
  await dynamoInbox(client).once('key', [])
  expect(plain).toMatchObject([{ TransactItems: [{ Put: { Item: { key: { S: 'key' } } } }] }])
})

it.each([
  ['nothing', undefined],
  ['an event', { type: 'transaction.purchase.successful' }],
  ['a body', { rawBody: new Uint8Array() }],
  ['a copy', { ...newWebhook() }],
])('refuses %s instead of a verified webhook, before it makes the items', async (_what, webhook) => {
  const items = vi.fn()
  await expect(dynamoInbox(client).handle(webhook as unknown as SignatureProof, items)).rejects.toThrow(
    'The inbox: expected a webhook that was verified, such as req.webhook',
  )
  expect(items).not.toHaveBeenCalled()
})

it('needs the event for "replayKey", and a key that is a text', async () => {
  const byType = dynamoInbox(client, { replayKey: ({ event }) => event.type })
  await expect(byType.handle(newProof(), [])).rejects.toThrow('"replayKey" needs a webhook with its event')
  const wrong = dynamoInbox(client, { replayKey: () => 5 as never })
  await expect(wrong.handle(newWebhook(), [])).rejects.toThrow(TypeError)
})

/** An error of a transaction, as DynamoDB returns it. */
function cancelled(CancellationReasons: unknown): Error {
  const more = { name: 'TransactionCanceledException', $fault: 'client', $metadata: {}, CancellationReasons }
  return Object.assign(new Error('cancelled'), more)
}

it.each([
  ['without reasons', cancelled(undefined)],
  ['with an empty list of reasons', cancelled([])],
  ['by a condition of the merchant', cancelled([{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }])],
  [
    'by a condition of the merchant on a handled item',
    cancelled([{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { handled_at: { N: '1' } } }]),
  ],
  ['by a conflict of the merchant', cancelled([{ Code: 'None' }, { Code: 'TransactionConflict' }])],
  [
    'by its reasons, but not by its name',
    Object.assign(new Error(), { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }),
  ],
])('passes on the error of a transaction that was cancelled %s', async (_what, error) => {
  const each = new DynamoDBClient({ region: 'local' })
  vi.spyOn(each, 'send').mockImplementation(() => Promise.reject(error) as never)
  await expect(dynamoInbox(each).handle(newWebhook(), [])).rejects.toBe(error)
  await expect(dynamoInbox(each).once('key', [])).rejects.toBe(error)
})
