import express from 'express'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { fulfil, type Orders } from './handlers.js'

const orders: Orders = {
  markPaid: async (intentId, amount) => console.log('paid:', intentId, amount.value, amount.currency),
}

const dispatcher = createDispatcher()
  .on('intent.processed', fulfil(orders))
  .otherwise(({ event }) => {
    console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
  })

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env['WEBHOOK_SECRET'] ?? '', dispatcher }))
app.listen(process.env['PORT'] ?? 3000)
