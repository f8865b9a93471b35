// Compiled with the workspace (npm run types), never run: the clients that the inbox takes, by their own types.
import { DynamoDB, DynamoDBClient, type TransactWriteItem } from '@aws-sdk/client-dynamodb'
import {
  DynamoDBDocument,
  DynamoDBDocumentClient,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { createVerifier, type ReplayStore, type VerifiedWebhook } from '@service-signature/core'
import {
  dynamoInbox,
  type DynamoDocumentItem,
  type Inbox,
  type DynamoResult,
} from '@service-signature/dynamodb'

declare const webhook: VerifiedWebhook

// The items have the values of the client.
const client = new DynamoDBClient()
const overPlain = dynamoInbox(client)
void (overPlain satisfies Inbox<TransactWriteItem>)
const plainItem = { Put: { TableName: 'payments', Item: { id: { S: '1' } } } }
const booked = await overPlain.handle(webhook, [plainItem])
if (booked.outcome === 'handled') void (booked.result satisfies DynamoResult)
await overPlain.once('intent:int_1', () => [plainItem])
await overPlain.once('intent:int_1', async () => Promise.resolve([plainItem]))
void (dynamoInbox(new DynamoDB()) satisfies Inbox<TransactWriteItem>)

const document = DynamoDBDocumentClient.from(client)
const overDocument = dynamoInbox(document)
void (overDocument satisfies Inbox<DynamoDocumentItem>)
const documentItem = {
  Put: { TableName: 'payments', Item: { id: '1', tags: new Set(['a']), nested: { n: 1n } } },
}
await overDocument.handle(webhook, [documentItem])
await overDocument.once('intent:int_1', [
  {
    Update: {
      TableName: 'stock',
      Key: { id: 1 },
      UpdateExpression: 'SET n = n - :n',
      ExpressionAttributeValues: { ':n': 1 },
    },
  },
  { Delete: { TableName: 'carts', Key: { id: 1 } } },
  { ConditionCheck: { TableName: 'carts', Key: { id: 2 }, ConditionExpression: 'attribute_exists(id)' } },
])
// What the SDK takes, the inbox takes.
declare const ofSdk: NonNullable<TransactWriteCommandInput['TransactItems']>
await overDocument.once('intent:int_1', ofSdk)
void (dynamoInbox(DynamoDBDocument.from(client)) satisfies Inbox<DynamoDocumentItem>)

// @ts-expect-error: plain values are not for the plain client
await overPlain.once('intent:int_1', [documentItem])
// @ts-expect-error: a table is missing
await overDocument.once('intent:int_1', [{ Put: { Item: { id: '1' } } }])

// It is a replay store.
void (overPlain satisfies ReplayStore)
createVerifier({ secret: 'secret', replay: overDocument })
dynamoInbox(client, { table: 'inbox', leaseSeconds: 5, ttlSeconds: 600, timeoutSeconds: 1 })
dynamoInbox(document, { replayKey: ({ event }) => event.type })

// @ts-expect-error: the client is missing
dynamoInbox({ table: 'inbox' })
// @ts-expect-error: the client is the first argument
dynamoInbox({ client })
// @ts-expect-error: the configuration is not a client
dynamoInbox({ region: 'eu-central-1' })
// @ts-expect-error: misspelled
dynamoInbox(client, { ttl: 5 })
// @ts-expect-error: transactions of DynamoDB do not wait
dynamoInbox(client, { waitSeconds: 5 })
// @ts-expect-error: an event alone does not have the signed content
await overPlain.handle(webhook.event, [])
// @ts-expect-error: the items are missing
await overPlain.handle(webhook)
