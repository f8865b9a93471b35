import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
  type DescribeTableCommandOutput,
  type DescribeTimeToLiveCommandOutput,
  type DynamoDBClient,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import { otherShape } from '@service-signature/inbox'
import type { Call } from './driver.js'
import { nameOf } from './failures.js'

const KEY = { AttributeName: 'key', AttributeType: 'S', KeyType: 'HASH' } as const
const TIME_TO_LIVE = { AttributeName: 'expires_at', Enabled: true } as const

/** @throws {TypeError} on a name that DynamoDB does not allow */
export function checkTable(table: unknown): void {
  if (typeof table === 'string' && /^[\w.-]{3,255}$/.test(table)) return
  throw new TypeError('"table" must be a name of 3 to 255 characters: a-z, A-Z, 0-9, _, - and .')
}

/**
 * Creates the table with its time to live, unless there is one: then it needs no right but to describe it. Several processes may
 * do so at once.
 *
 * @throws {Error} if the table is not that of an inbox
 */
export async function migrate(client: DynamoDBClient, TableName: string, call: Call): Promise<void> {
  const table = await described(TableName, call)
  if (table !== undefined) checkShape(table)
  if (table !== undefined && table.TableStatus !== 'CREATING') {
    await warnOfTimeToLive(TableName, call)
    return
  }
  const isMine = table === undefined && (await create(TableName, call))
  // DynamoDB takes seconds to create a table.
  const times = { maxWaitTime: 60, minDelay: 1, maxDelay: 5 }
  await waitUntilTableExists({ client, abortSignal: AbortSignal.timeout(60_000), ...times }, { TableName })
  // Otherwise, the process that creates the table does it.
  if (isMine) await turnTimeToLiveOn(TableName, call)
}

async function described(TableName: string, call: Call): Promise<TableDescription | undefined> {
  try {
    const answer = (await call(new DescribeTableCommand({ TableName }))) as DescribeTableCommandOutput
    return answer.Table
  } catch (error) {
    if (nameOf(error) === 'ResourceNotFoundException') return undefined
    throw error
  }
}

/** @throws {Error} with what is wrong, and the fix */
function checkShape({ TableName, KeySchema, AttributeDefinitions }: TableDescription): void {
  const types = new Map(AttributeDefinitions!.map((each) => [each.AttributeName, each.AttributeType]))
  const keys = KeySchema!.map(({ AttributeName: name }) => `"${String(name)}" (${String(types.get(name))})`)
  if (keys.join() === '"key" (S)') return
  throw otherShape(String(TableName), `its key is ${keys.join(' and ')}, not "key" (S) alone`)
}

/** @returns whether this process creates it, and not another one at the same time */
async function create(TableName: string, call: Call): Promise<boolean> {
  const { AttributeName, AttributeType, KeyType } = KEY
  const table = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName, AttributeType }],
    KeySchema: [{ AttributeName, KeyType }],
  })
  return call(table).then(
    () => true,
    (error: unknown) => {
      if (nameOf(error) === 'ResourceInUseException') return false
      throw error
    },
  )
}

async function turnTimeToLiveOn(TableName: string, call: Call): Promise<void> {
  await call(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: TIME_TO_LIVE })).catch(
    (error: unknown) => {
      // Some local engines have no time to live.
      if (nameOf(error) !== 'UnknownOperationException') throw error
    },
  )
}

/** Without the right to look there is no warning. */
async function warnOfTimeToLive(TableName: string, call: Call): Promise<void> {
  const asked = call(new DescribeTimeToLiveCommand({ TableName })).catch(() => undefined)
  const { AttributeName, TimeToLiveStatus } =
    ((await asked) as DescribeTimeToLiveCommandOutput | undefined)?.TimeToLiveDescription ?? {}
  const isOn = TimeToLiveStatus === 'ENABLED' || TimeToLiveStatus === 'ENABLING'
  if (TimeToLiveStatus === undefined || (isOn && AttributeName === TIME_TO_LIVE.AttributeName)) return
  process.emitWarning(
    `The table "${TableName}" of the inbox keeps old keys forever, because its time to live is not on. Run: aws dynamodb ` +
      `update-time-to-live --table-name ${TableName} --time-to-live-specification Enabled=true,AttributeName=expires_at`,
    { type: 'ServiceSignatureWarning', code: 'SERVICE_SIGNATURE_DYNAMODB_TIME_TO_LIVE' },
  )
}
