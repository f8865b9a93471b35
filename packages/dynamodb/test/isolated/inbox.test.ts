import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamoInbox } from '@service-signature/dynamodb'
import { expect, it, vi } from 'vitest'

vi.mock('@aws-sdk/lib-dynamodb', () => {
  throw new Error('Cannot find the package')
})

it('names the package that a document client needs, if a bundler has left it out', async () => {
  const document = { send: vi.fn(), config: { translateConfig: {} } }
  await expect(dynamoInbox(document).once('key', [])).rejects.toThrow(
    new Error('The inbox over a document client needs "@aws-sdk/lib-dynamodb"'),
  )
  expect(document.send).not.toHaveBeenCalled()
})

it('does not load it for a plain client', async () => {
  const client = new DynamoDBClient({ region: 'local' })
  vi.spyOn(client, 'send').mockImplementation(() => Promise.resolve({}) as never)
  expect((await dynamoInbox(client).once('key', [])).outcome).toBe('handled')
})
