import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamoInbox } from '@service-signature/dynamodb'
import { DynamoEngine } from '../../../packages/dynamodb/test/engine/support/engine.js'
import type { DrillDatabase } from './database.js'

/** The local engine is in the process of the drill, and keeps its data when its connections are cut off. */
export const database: DrillDatabase = {
  name: 'DynamoDB',

  async start() {
    const engine = await DynamoEngine.start()
    const client = connect(engine.url)
    await dynamoInbox(client).migrate()
    await client.send(
      new CreateTableCommand({
        TableName: 'bookings',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    )
    return {
      env: { DYNAMODB_URL: engine.url },
      server: { kill: () => engine.kill(), restart: () => engine.restart() },
      async read() {
        const items = await engine.items('bookings')
        return new Map([...items].map(([booking, item]) => [booking, String(item['delivery']?.['S'])]))
      },
      async stop() {
        client.destroy()
        await engine.kill()
      },
    }
  },

  connect({ DYNAMODB_URL }) {
    const client = connect(DYNAMODB_URL!)
    const inbox = dynamoInbox(client)
    return async (webhook, { delivery, booking }, onBooked) => {
      const Item = { id: { S: booking }, delivery: { S: delivery } }
      // The process may be killed before the transaction, during it and after it.
      await Promise.all([inbox.handle(webhook, [{ Put: { TableName: 'bookings', Item } }]), onBooked()])
    }
  },
}

function connect(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }
  return new DynamoDBClient({ endpoint, region: 'local', credentials, maxAttempts: 2 })
}
