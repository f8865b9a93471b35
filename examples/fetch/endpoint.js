import { serve } from '@hono/node-server'
import { createDispatcher, memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fetch/hono'
import { Hono } from 'hono'

const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { id, status } = payload.data.intent
  if (status === 'PROCESSED') console.log('paid:', id)
})

const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  dispatcher,
  replay: memoryReplayStore(),
  onUnhandled: ({ event }) => {
    console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
  },
  onRejected: (error, { request: c }) =>
    console.warn(c.req.header('x-forwarded-for'), error.code, error.message),
})

const app = new Hono()
app.post('/webhooks', webhooks)
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
