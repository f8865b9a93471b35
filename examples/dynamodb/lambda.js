import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createDispatcher } from '@service-signature/core'
import { dynamoInbox } from '@service-signature/dynamodb'
import { serviceSignature } from '@service-signature/lambda'

const { INBOX_TABLE, PAYMENTS_TABLE, WEBHOOK_SECRET } = process.env
if (!INBOX_TABLE || !PAYMENTS_TABLE || !WEBHOOK_SECRET)
  throw new Error('Set INBOX_TABLE, PAYMENTS_TABLE and WEBHOOK_SECRET')

const inbox = dynamoInbox(new DynamoDBClient(), { table: INBOX_TABLE })

const dispatcher = createDispatcher().on('intent.processed', async (webhook) => {
  const { id, status, amount } = webhook.payload.data.intent
  if (status !== 'PROCESSED') return
  const payment = { intent_id: { S: id }, amount: { N: String(amount) } }
  const { outcome } = await inbox.handle(webhook, [{ Put: { TableName: PAYMENTS_TABLE, Item: payment } }])
  console.log(`${outcome}:`, id)
})

export const handler = serviceSignature({
  secret: WEBHOOK_SECRET,
  // Before production, add expect: { account: 'acc_...', live: true, transactionMode: 'unknown' }
  dispatcher,
  onUnhandled: ({ event }) => console.warn('not handled:', event.type),
  onRejected: (error) => console.warn(error.code, error.message),
})
