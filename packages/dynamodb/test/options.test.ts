import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { SignatureProof } from '@service-signature/core'
import { dynamoInbox, type DynamoInboxOptions } from '@service-signature/dynamodb'
import { newProof, newWebhook } from '@service-signature/contract/inbox-cases'
import { expect, it, vi } from 'vitest'

const client = new DynamoDBClient({ region: 'local', endpoint: 'http://127.0.0.1:9' })

it.each<[string, unknown]>([
  ['no options', undefined],
  ['null', null],
  ['no client', {}],
  ['a client in place of the options', client],
  ['the configuration of a client', { client: { region: 'eu-central-1' } }],
  ['a client of another service or of another copy', { client: { send: vi.fn(), config: {} } }],
  ['a client of the SDK 2', { client: { putItem: vi.fn(), config: { translateConfig: {} } } }],
])('refuses %s', (_what, options) => {
  expect(() => dynamoInbox(options as DynamoInboxOptions<DynamoDBClient>)).toThrow(
    new TypeError(
      'dynamoInbox needs "client", a DynamoDBClient of "@aws-sdk/client-dynamodb" or a DynamoDBDocumentClient of ' +
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
  [{ waitSeconds: 5 }, TypeError, 'dynamoInbox has no option "waitSeconds"'],
  [{ ttl: 60 }, TypeError, 'dynamoInbox has no option "ttl". Did you mean "ttlSeconds"?'],
])('refuses the options %j', (options, type, message) => {
  const make = () => dynamoInbox({ client, ...options } as DynamoInboxOptions<DynamoDBClient>)
  expect(make).toThrow(type)
  expect(make).toThrow(message)
})

it('remembers for 30 days, and leases for a minute, unless the options say otherwise', () => {
  expect(dynamoInbox({ client })).toMatchObject({ ttlSeconds: 2_592_000, leaseSeconds: 60 })
  const options = { ttlSeconds: 86_400, leaseSeconds: 5 }
  expect(dynamoInbox({ client, ...options })).toMatchObject(options)
})

it.each([
  ['DynamoDBClient', client],
  ['DynamoDB', new DynamoDB({ region: 'local' })],
])('makes items of attribute values for a %s', async (_name, each) => {
  const { Put } = await dynamoInbox({ client: each, table: 'My-Stack.Inbox_1', ttlSeconds: 60 }).item('key')
  const number = { N: expect.stringMatching(/^\d+(\.\d+)?$/) as string }
  expect(Put).toEqual({
    TableName: 'My-Stack.Inbox_1',
    Item: { key: { S: 'key' }, inbox: { S: 'My-Stack.Inbox_1' }, handled_at: number, expires_at: number },
    ConditionExpression: 'attribute_not_exists(handled_at) OR expires_at < :now',
    ExpressionAttributeValues: { ':now': number },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
})

it.each([
  ['DynamoDBDocumentClient', DynamoDBDocumentClient.from(client)],
  ['DynamoDBDocument', DynamoDBDocument.from(client)],
])('makes items of plain values for a %s', async (_name, each) => {
  const { Put } = await dynamoInbox({ client: each }).item('key')
  const number = expect.any(Number) as number
  expect(Put).toMatchObject({
    TableName: 'service_signature_inbox',
    Item: { key: 'key', inbox: 'service_signature_inbox', handled_at: number, expires_at: number },
    ExpressionAttributeValues: { ':now': number },
  })
  // A document client shares its configuration with the plain client from which it is made.
  expect((await dynamoInbox({ client }).item('key')).Put.Item['key']).toEqual({ S: 'key' })
})

it.each([
  ['nothing', undefined],
  ['an event', { type: 'transaction.purchase.successful' }],
  ['a body', { rawBody: new Uint8Array() }],
])('refuses %s instead of a verified webhook', async (_what, webhook) => {
  await expect(dynamoInbox({ client }).item(webhook as unknown as SignatureProof)).rejects.toThrow(
    new TypeError('The inbox: expected a webhook that was verified, such as req.webhook'),
  )
})

it('needs the event for "replayKey", and a key that is a text', async () => {
  const byType = dynamoInbox({ client, replayKey: ({ event }) => event.type })
  await expect(byType.item(newProof())).rejects.toThrow('"replayKey" needs a webhook with its event')
  const wrong = dynamoInbox({ client, replayKey: () => 5 as never })
  await expect(wrong.item(newWebhook())).rejects.toThrow(TypeError)
})

it.each([
  ['nothing', undefined],
  ['a text', 'TransactionCanceledException'],
  [
    'another error',
    Object.assign(new Error(), { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }),
  ],
  ['a cancellation without reasons', cancelled(undefined)],
  ['a conflict', cancelled([{ Code: 'TransactionConflict' }, { Code: 'None' }, null])],
  ['a condition whose item was not returned', cancelled([{ Code: 'ConditionalCheckFailed' }])],
  ['an item of the merchant', failed({ handled_at: { N: '1' }, key: { S: 'key' } })],
  ['an item of another inbox', failed({ handled_at: { N: '1' }, inbox: { S: 'other' } })],
  ['a claim', failed({ claim_token: { S: 'token' }, inbox: { S: 'service_signature_inbox' } })],
  ['an item whose condition did not fail', cancelled([{ Code: 'None', Item: handled() }])],
])('does not take %s for a duplicate', (_what, error) => {
  expect(dynamoInbox({ client }).isDuplicate(error)).toBe(false)
})

it('takes a handled item of its table for a duplicate, in the form of either client', () => {
  const { isDuplicate } = dynamoInbox({ client })
  expect(isDuplicate(failed(handled()))).toBe(true)
  expect(isDuplicate(failed({ handled_at: 1, inbox: 'service_signature_inbox' }))).toBe(true)
})

function handled(): object {
  return { handled_at: { N: '1' }, inbox: { S: 'service_signature_inbox' } }
}

function failed(item: object): Error {
  return cancelled([{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: item }])
}

function cancelled(reasons: unknown): Error {
  const name = 'TransactionCanceledException'
  return Object.assign(new Error('cancelled'), { name, CancellationReasons: reasons })
}
