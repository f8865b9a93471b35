import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createDispatcher } from '@service-signature/core'
import { dynamoInbox } from '@service-signature/dynamodb'
import { serviceSignature } from '@service-signature/lambda'

const inbox = dynamoInbox(new DynamoDBClient(), { table: process.env.INBOX_TABLE })

const dispatcher = createDispatcher().on('transaction.purchase.successful', async (webhook) => {
  const { id, amount } = webhook.payload.intent
  const payment = { intent_id: { S: id }, amount: { N: String(amount.value) } }
  const { outcome } = await inbox.handle(webhook, [
    { Put: { TableName: process.env.PAYMENTS_TABLE, Item: payment } },
  ])
  console.log(`${outcome}:`, id)
})

export const handler = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  dispatcher,
  onRejected: (error) => console.warn(error.code, error.message),
})
