import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fetch/hono'
import { env } from 'hono/adapter'

const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { id, status } = payload.data.intent
  if (status === 'PROCESSED') console.log('paid:', id)
})

/** The endpoint, on every runtime: app.post('/webhooks', webhooks). */
export const webhooks = serviceSignature({
  secret: ({ request: c }) => env<{ WEBHOOK_SECRET?: string }>(c).WEBHOOK_SECRET,
  // All accounts and both modes share this secret. Name yours: expect: { account: 'acc_..' }.
  dispatcher,
  // No memoryReplayStore(): on some runtimes, instances share no memory. To handle no delivery twice, choose a store:
  // https://github.com/your-org/service-signature/blob/main/docs/replay.md
  onUnhandled: ({ event }) => {
    console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
  },
  onRejected: (error) => {
    console.warn(error.code, error.message)
  },
})
