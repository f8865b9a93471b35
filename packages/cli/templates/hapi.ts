import type { Server } from '@hapi/hapi'
import { createDispatcher, memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/hapi'

/** The endpoint, as a plugin: await server.register(webhooks()), before the server starts. */
export function webhooks(secret = process.env['WEBHOOK_SECRET']) {
  const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
    const { id, status } = payload.data.intent
    if (status === 'PROCESSED') console.log('paid:', id)
  })
  return {
    name: 'webhooks',
    async register(server: Server) {
      await server.register({
        plugin: serviceSignature,
        options: {
          secret,
          // All accounts and both modes share this secret. Name yours: expect: { account: 'acc_..' }.
          dispatcher,
          replay: memoryReplayStore(),
          onUnhandled: ({ event }) => {
            console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
          },
          onRejected: (error) => {
            console.warn(error.code, error.message)
          },
        },
      })
      server.route({
        method: 'POST',
        path: '/webhooks',
        options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
        handler: () => null, // never runs
      })
    },
  }
}
