// dynalite without what the engine of the other tests adds: it has neither transactions nor time to live, and returns no item
// with a failed condition.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamoInbox } from '@service-signature/dynamodb'
import { replayStoreCases } from '@service-signature/core/testing'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing } from '@service-signature/contract/services'

let server: Server
let client: DynamoDBClient

beforeAll(async () => {
  const dynalite = createRequire(import.meta.url)('dynalite') as (options: object) => Server
  server = dynalite({ createTableMs: 0 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }
  client = new DynamoDBClient({ endpoint, region: 'local', credentials, maxAttempts: 1 })
})

afterAll(async () => {
  client.destroy()
  await new Promise((resolve) => server.close(resolve))
})

let tables = 0

describe.skipIf(isMissing('drivers'))('the replay store over dynalite', () => {
  for (const { name, run } of replayStoreCases(async (times) => {
    const table = `cases-${++tables}`
    // 200 claims at once take dynalite seconds on a busy machine.
    const open = () => dynamoInbox(client, { ...times, table, timeoutSeconds: 60 })
    await open().migrate()
    let ahead = 0
    const now = Date.now.bind(Date)
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead)
    return {
      store: open(),
      other: open(),
      advance: (seconds) => (ahead += seconds * 1000),
      close: () => {
        clock.mockRestore()
      },
    }
  })) {
    it(name, run)
  }
})

it.skipIf(isMissing('drivers'))(
  'migrates a table twice, and warns the second time that old keys stay',
  async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const inbox = dynamoInbox(client, { table: 'twice' })
    await inbox.migrate()
    const ours = () => warnings.mock.calls.filter(([message]) => String(message).includes('time to live'))
    expect(ours()).toEqual([])
    await inbox.migrate()
    expect(ours()).toHaveLength(1)
    warnings.mockRestore()
  },
)

it.skipIf(isMissing('drivers'))(
  'reads the item only if a failed condition does not return it, and refuses if it cannot',
  async () => {
    const inbox = dynamoInbox(client, { table: 'read' })
    await inbox.migrate()
    const send = vi.spyOn(client, 'send')
    const sent = () => send.mock.calls.splice(0).map(([command]) => command.constructor.name)
    const { token } = await inbox.claim('key')
    expect(sent()).toEqual(['PutItemCommand'])
    await inbox.commit('key', token)
    expect(sent()).toEqual(['PutItemCommand'])
    expect((await inbox.claim('key')).status).toBe('done')
    expect(sent()).toEqual(['PutItemCommand', 'GetItemCommand'])
    const original = client.send.bind(client)
    send.mockRestore()
    vi.spyOn(client, 'send').mockImplementation(((command: object, ...more: []) =>
      command.constructor.name === 'GetItemCommand'
        ? Promise.reject(Object.assign(new Error(), { name: 'AccessDeniedException' }))
        : original(command as never, ...more)) as never)
    await expect(inbox.claim('key')).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      cause: { name: 'AccessDeniedException' },
    })
    vi.restoreAllMocks()
  },
)
