import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
  type DescribeTimeToLiveCommandOutput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import type { Call } from './client.js'
import { nameOf } from './failures.js'

/** @throws {TypeError} on a name that DynamoDB does not allow */
export function checkTable(table: unknown): void {
  if (typeof table === 'string' && /^[\w.-]{3,255}$/.test(table)) return
  throw new TypeError('"table" must be a name of 3 to 255 characters: a-z, A-Z, 0-9, _, - and .')
}

/** Creates the table, unless it exists, and turns time to live on. Several processes may do so at once. */
export async function createTable(client: DynamoDBClient, TableName: string, call: Call): Promise<void> {
  const create = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
  })
  await call(create).catch((error: unknown) => {
    if (nameOf(error) !== 'ResourceInUseException') throw error
  })
  // DynamoDB takes seconds to create a table.
  const wait = { client, abortSignal: AbortSignal.timeout(60_000), maxWaitTime: 60, minDelay: 1, maxDelay: 5 }
  await waitUntilTableExists(wait, { TableName })

  const hasTimeToLive = async () => {
    const describe = new DescribeTimeToLiveCommand({ TableName })
    const answer = (await call(describe)) as DescribeTimeToLiveCommandOutput
    const { AttributeName, TimeToLiveStatus } = answer.TimeToLiveDescription!
    return AttributeName === 'expires_at' && ['ENABLED', 'ENABLING'].includes(TimeToLiveStatus!)
  }
  if (await hasTimeToLive()) return
  const TimeToLiveSpecification = { AttributeName: 'expires_at', Enabled: true }
  const enable = new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification })
  await call(enable).catch(async (error: unknown) => {
    // Another process has turned it on meanwhile.
    if (!(await hasTimeToLive())) throw error
  })
}
