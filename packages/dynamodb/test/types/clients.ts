// Compiled with the workspace (npm run types), never run: the clients that the inbox takes, by their own types.
import {
  DynamoDB,
  DynamoDBClient,
  TransactWriteItemsCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument, DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { createVerifier, type ReplayStore, type VerifiedWebhook } from '@service-signature/core'
import { dynamoInbox, type DynamoInbox } from '@service-signature/dynamodb'

declare const webhook: VerifiedWebhook

// The item has the values of the client.
const client = new DynamoDBClient()
const overPlain = dynamoInbox({ client })
void (overPlain satisfies DynamoInbox<AttributeValue>)
await client.send(new TransactWriteItemsCommand({ TransactItems: [await overPlain.item(webhook)] }))
void (dynamoInbox({ client: new DynamoDB() }) satisfies DynamoInbox<AttributeValue>)

const document = DynamoDBDocumentClient.from(client)
const overDocument = dynamoInbox({ client: document })
void (overDocument satisfies DynamoInbox<string | number>)
await document.send(new TransactWriteCommand({ TransactItems: [await overDocument.item('intent:int_1')] }))
void (dynamoInbox({ client: DynamoDBDocument.from(client) }) satisfies DynamoInbox<string | number>)

// @ts-expect-error: plain values are not for the plain client
new TransactWriteItemsCommand({ TransactItems: [await overDocument.item(webhook)] })

// It is a replay store.
void (overPlain satisfies ReplayStore)
createVerifier({ secret: 'secret', replay: overDocument })
dynamoInbox({ client, table: 'inbox', leaseSeconds: 5, ttlSeconds: 60, timeoutSeconds: 1 })
dynamoInbox({ client: document, replayKey: ({ event }) => event.type })

// @ts-expect-error: the client is missing
dynamoInbox({ table: 'inbox' })
// @ts-expect-error: the configuration is not a client
dynamoInbox({ client: { region: 'eu-central-1' } })
// @ts-expect-error: misspelled
dynamoInbox({ client, ttl: 5 })
// @ts-expect-error: transactions of DynamoDB do not wait
dynamoInbox({ client, waitSeconds: 5 })
// @ts-expect-error: an event alone does not have the signed content
await overPlain.item(webhook.event)
