import express from 'express'
import { createDispatcher, memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'

const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { id, status, amount } = payload.data.intent
  if (status === 'PROCESSED') console.log('paid:', id, amount)
})

const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  dispatcher,
  replay: memoryReplayStore(),
  onUnhandled: ({ event }) => {
    console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
  },
  onRejected: (error, { request }) => console.warn(request.socket.remoteAddress, error.code, error.message),
})

const app = express()
app.post('/webhooks', webhooks)
app.listen(process.env.PORT ?? 3000)
