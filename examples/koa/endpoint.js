import Router from '@koa/router'
import Koa from 'koa'
import { createDispatcher, memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/koa'

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
  onRejected: (error, { request: ctx }) => console.warn(ctx.ip, error.code, error.message),
})

const router = new Router()
router.post('/webhooks', webhooks)

const app = new Koa()
app.use(router.routes())
app.listen(process.env.PORT ?? 3000)
