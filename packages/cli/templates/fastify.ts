import { createDispatcher, memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fastify'
import type { FastifyInstance } from 'fastify'

/** The endpoint, as a plugin: app.register(webhooks). */
export default async function webhooks(app: FastifyInstance) {
  const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
    const { id, status } = payload.data.intent
    if (status === 'PROCESSED') console.log('paid:', id)
  })
  await app.register(serviceSignature, {
    secret: process.env['WEBHOOK_SECRET'],
    // All accounts and both modes share this secret. Name yours: expect: { account: 'acc_..' }.
    dispatcher,
    replay: memoryReplayStore(),
    onUnhandled: ({ event }) => {
      console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
    },
    onRejected: (error) => {
      console.warn(error.code, error.message)
    },
  })
  app.post('/webhooks', () => undefined) // never runs
}
