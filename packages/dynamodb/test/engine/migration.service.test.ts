import { CreateTableCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTable, failWith, open, PLAIN, refusal, useEngine } from './support/open.js'
import { isMissing } from '@service-signature/contract/services'

const engine = useEngine()
const ONCE = { maxAttempts: 1 }

afterEach(() => {
  engine().before = () => undefined
})

describe.skipIf(isMissing('drivers'))('migrate', () => {
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
    const fix = 'Set "table" to another name, or rename this table: inbox.migrate() then creates its own.'
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
      failWith(engine(), 'AccessDeniedException', call)
      await expect(make({ table: `forbidden-${call}` }).migrate()).rejects.toMatchObject({
        name: 'AccessDeniedException',
      })
    },
  )
})
