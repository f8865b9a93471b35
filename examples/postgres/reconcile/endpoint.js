import express from 'express'
import { createDispatcher, fetchSecret } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { book, inbox } from './book.js'

const { PAYMENT_SERVICE_URL: baseUrl, PAYMENT_API_KEY: apiKey, PAYMENT_ACCOUNT: account } = process.env
const { PAYMENT_MODE = 'live', PORT = 3000 } = process.env
if (!baseUrl || !apiKey || !account)
  throw new Error('Set PAYMENT_SERVICE_URL, PAYMENT_API_KEY and PAYMENT_ACCOUNT')

await inbox.migrate()

const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { intent } = payload.data
  if (await book(intent)) console.log(`booked: ${intent.id}`)
})

const webhooks = serviceSignature({
  secret: fetchSecret({ baseUrl, apiKey }),
  // Transaction events do not say their mode, and are not booked.
  expect: { account, live: PAYMENT_MODE !== 'test', transactionMode: 'unknown' },
  dispatcher,
  onUnhandled: ({ event }) => console.warn('not handled:', event.type),
  onRejected: (error) => console.warn(error.code, error.message),
})

const app = express()
app.post('/webhooks', webhooks)
app.listen(PORT)
