import { server as createServer } from '@hapi/hapi'
import { createDispatcher, memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/hapi'

const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { id, status } = payload.data.intent
  if (status === 'PROCESSED') console.log('paid:', id)
})

const server = createServer({ port: process.env.PORT ?? 3000 })
await server.register({
  plugin: serviceSignature,
  options: {
    secret: process.env.WEBHOOK_SECRET,
    dispatcher,
    replay: memoryReplayStore(),
    onUnhandled: ({ event }) => {
      console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
    },
    onRejected: (error, { request }) => console.warn(request.info.remoteAddress, error.code, error.message),
  },
})
server.route({
  method: 'POST',
  path: '/webhooks',
  options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
  handler: () => null, // never runs
})
await server.start()
