import { fastify } from 'fastify'
import { createDispatcher, memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fastify'

const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { id, status } = payload.data.intent
  if (status === 'PROCESSED') console.log('paid:', id)
})

const app = fastify({ logger: { level: 'warn' } })
app.register(async (scope) => {
  await scope.register(serviceSignature, {
    secret: process.env.WEBHOOK_SECRET,
    dispatcher,
    replay: memoryReplayStore(),
    onUnhandled: ({ event }, { request }) => {
      request.log.warn(`not handled: ${event.type === 'unrecognized' ? event.receivedType : event.type}`)
    },
    onRejected: (error, { request }) => request.log.warn(`${request.ip} ${error.code} ${error.message}`),
  })
  scope.post('/webhooks', () => undefined) // never runs
})
await app.listen({ port: Number(process.env.PORT ?? 3000) })
