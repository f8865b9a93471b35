import express from 'express'
import { createDispatcher, fetchSecret } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { book } from './book.js'

const { PAYMENT_SERVICE_URL: baseUrl, PAYMENT_API_KEY: apiKey, PORT = 3000 } = process.env

// #region handler
const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { intent_id: id, intent } = payload.data
  if (await book(id, intent.amount)) console.log(`booked: ${id}`)
})
// #endregion

const app = express()
app.post('/webhooks', serviceSignature({ secret: fetchSecret({ baseUrl, apiKey }), dispatcher }))
app.listen(PORT)
