import {
  CreateTableCommand,
  DynamoDBClient,
  TransactWriteItemsCommand,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { ReplayStore } from '@service-signature/core'
import { dynamoInbox, type DynamoInboxOptions } from '@service-signature/dynamodb'
import type { VerifiedDelivery } from '@service-signature/inbox'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { DynamoEngine } from './engine.js'

/** Something that goes into a transaction, in the form of its client. */
interface Entry {
  readonly Put: object
}

/** An inbox over either client. */
export interface TestInbox extends ReplayStore {
  readonly migrate: () => Promise<void>
  readonly item: (webhookOrKey: VerifiedDelivery | string) => Promise<Entry>
  readonly isDuplicate: (error: unknown) => boolean
}

/** One of the two packages. */
export interface Library {
  readonly name: string
  readonly connect: (client: DynamoDBClient) => {
    readonly inbox: (options?: Omit<DynamoInboxOptions<never>, 'client'>) => TestInbox
    readonly transact: (entries: readonly Entry[]) => Promise<unknown>
    /** Puts a payment, unless there is one with its id. */
    readonly payment: (id: string) => Entry
  }
}

export const PLAIN: Library = {
  name: 'the plain client',
  connect: (client) => ({
    inbox: (options) => dynamoInbox({ client, ...options }),
    transact: (entries) => client.send(new TransactWriteItemsCommand({ TransactItems: entries as never })),
    payment: (id) => ({ Put: { ...PAYMENT, Item: { id: { S: id } } } }),
  }),
}

export const DOCUMENT: Library = {
  name: 'the document client',
  connect(plain) {
    const client = DynamoDBDocumentClient.from(plain)
    return {
      inbox: (options) => dynamoInbox({ client, ...options }),
      transact: (entries) => client.send(new TransactWriteCommand({ TransactItems: entries as never })),
      payment: (id) => ({ Put: { ...PAYMENT, Item: { id } } }),
    }
  },
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
    engine = await DynamoEngine.start()
    await createTable(clientOf(engine), 'payments', 'id')
  })
  afterAll(() => engine.kill())
  return () => engine
}

/** Creates a table of the merchant's. */
export async function createTable(client: DynamoDBClient, TableName: string, key: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    }),
  )
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
  options: Omit<DynamoInboxOptions<never>, 'client'> = {},
  config: DynamoDBClientConfig = {},
) {
  const table = `inbox-${++tables}`
  const client = clientOf(engine, config)
  onTestFinished(() => {
    client.destroy()
  })
  const { inbox: make, transact, payment } = library.connect(client)
  const [inbox, other] = [make({ table, ...options }), make({ table, ...options })]
  await inbox.migrate()
  return {
    ...{ table, client, inbox, other, transact, payment, make },
    advance: (seconds: number) => engine.age(table, seconds),
    items: () => engine.items(table),
    /** Books as the README shows it. */
    book: async (
      webhook: VerifiedDelivery | string,
      id: string,
      by = inbox,
    ): Promise<'handled' | 'duplicate'> => {
      try {
        await transact([payment(id), await by.item(webhook)])
        return 'handled'
      } catch (error) {
        if (by.isDuplicate(error)) return 'duplicate'
        throw error
      }
    },
    booked: async (id: string) => (await engine.items('payments')).has(id),
  }
}
