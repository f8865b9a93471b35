import { createDispatcher, memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'

/** The endpoint: app.post('/webhooks', webhooks()), above the body parsers. */
export function webhooks(secret = process.env['WEBHOOK_SECRET']) {
  const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
    const { id, status } = payload.data.intent
    if (status === 'PROCESSED') console.log('paid:', id)
  })
  return serviceSignature({
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
  })
}
