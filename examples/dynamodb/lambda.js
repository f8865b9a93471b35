import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { createDispatcher } from '@service-signature/core'
import { dynamoInbox } from '@service-signature/dynamodb'
import { serviceSignature } from '@service-signature/lambda'

const client = new DynamoDBClient()
const inbox = dynamoInbox({ client, table: process.env.INBOX_TABLE })

const dispatcher = createDispatcher().on('transaction.purchase.successful', async (webhook) => {
  const { id, amount } = webhook.payload.intent
  const payment = { intent_id: { S: id }, amount: { N: String(amount.value) } }
  const TransactItems = [
    await inbox.item(webhook),
    { Put: { TableName: process.env.PAYMENTS_TABLE, Item: payment } },
  ]
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems }))
    console.log('booked:', id)
  } catch (error) {
    // After any other error the sender can retry.
    if (!inbox.isDuplicate(error)) throw error
    console.log('duplicate:', id)
  }
})

export const handler = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  dispatcher,
  onRejected: (error) => console.warn(error.code, error.message),
})
