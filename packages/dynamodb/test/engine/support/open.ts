import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { dynamoInbox, type Inbox, type InboxOptions } from '@service-signature/dynamodb'
import type { VerifiedDelivery } from '@service-signature/inbox'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import type { DynamoEngine } from './engine.js'

/** An item of a transaction, in the form of its client. */
interface Entry {
  readonly Put: object
}

/** An inbox over either client. */
export type TestInbox = Inbox<Entry>

/** One of the two packages. */
export interface Library {
  readonly name: string
  readonly connect: (client: DynamoDBClient) => {
    readonly inbox: (options?: InboxOptions) => TestInbox
    /** Puts a payment, unless there is one with its id. */
    readonly payment: (id: string) => Entry
  }
}

export const PLAIN: Library = {
  name: 'the plain client',
  connect: (client) => ({
    inbox: (options) => dynamoInbox(client, options) as unknown as TestInbox,
    payment: (id) => ({ Put: { ...PAYMENT, Item: { id: { S: id } } } }),
  }),
}

export const DOCUMENT: Library = {
  name: 'the document client',
  connect: (plain) => ({
    inbox: (options) => dynamoInbox(DynamoDBDocumentClient.from(plain), options) as unknown as TestInbox,
    payment: (id) => ({ Put: { ...PAYMENT, Item: { id } } }),
  }),
}

const PAYMENT = {
  TableName: 'payments',
  ConditionExpression: 'attribute_not_exists(id)',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
}

/** An engine for the tests of a file, with the table of payments. */
export function useEngine(): () => DynamoEngine {
  let engine: DynamoEngine
  beforeAll(async () => {
    // It loads dynalite, which is not installed everywhere.
    const { DynamoEngine } = await import('./engine.js')
    engine = await DynamoEngine.start()
    await createTable(clientOf(engine), 'payments', 'id')
  })
  afterAll(() => engine.kill())
  return () => engine
}

/** Creates a table of the merchant's, and waits until it can be used. */
export async function createTable(client: DynamoDBClient, TableName: string, key: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    }),
  )
  const isActive = async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }))
    expect(Table!.TableStatus).toBe('ACTIVE')
  }
  // Not expect.poll, which works only within a test.
  await vi.waitFor(isActive, { interval: 5, timeout: 60_000 })
}

export function clientOf(engine: DynamoEngine, config: DynamoDBClientConfig = {}): DynamoDBClient {
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }
  return new DynamoDBClient({ endpoint: engine.url, region: 'local', credentials, ...config })
}

let tables = 0

/** An inbox with a table of its own. */
export async function open(
  engine: DynamoEngine,
  library: Library,
  options: InboxOptions = {},
  config: DynamoDBClientConfig = {},
) {
  const table = `inbox-${++tables}`
  const client = clientOf(engine, config)
  onTestFinished(() => {
    client.destroy()
  })
  const { inbox: make, payment } = library.connect(client)
  const [inbox, other] = [make({ table, ...options }), make({ table, ...options })]
  await inbox.migrate()
  return {
    ...{ table, client, inbox, other, payment, make },
    advance: (seconds: number) => engine.age(table, seconds),
    items: () => engine.items(table),
    /** Books as the README shows it. */
    book: async (webhookOrKey: VerifiedDelivery | string, id: string, by = inbox) => {
      const { outcome } =
        typeof webhookOrKey === 'string'
          ? await by.once(webhookOrKey, [payment(id)])
          : await by.handle(webhookOrKey, [payment(id)])
      return outcome
    },
    booked: async (id: string) => (await engine.items('payments')).has(id),
  }
}

/** Lets a call be answered with an error of DynamoDB. */
export function failWith(
  engine: DynamoEngine,
  type: string,
  call = 'PutItem',
  statusCode = 400,
  more: object = {},
): void {
  engine.before = (made) => {
    if (made === call) throw refusal(type, statusCode, more)
  }
}

export function refusal(type: string, statusCode = 400, more: object = {}): Error {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'of the test', ...more }
  return Object.assign(new Error(type), { statusCode, body })
}
