import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fetch'
import type { RequestHandler } from '@service-signature/fetch'

const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { id, status } = payload.data.intent
  if (status === 'PROCESSED') console.log('paid:', id)
})

let handle: RequestHandler | undefined

/** The endpoint: in fetch(), if (new URL(request.url).pathname === '/webhooks') return webhooks(request, env) */
export function webhooks(request: Request, env: { WEBHOOK_SECRET: string }) {
  // The secret is there with the first request.
  handle ??= serviceSignature({
    secret: env.WEBHOOK_SECRET,
    // All accounts and both modes share this secret. Name yours: expect: { account: 'acc_..' }.
    dispatcher,
    // No memoryReplayStore(): instances share no memory. To handle no delivery twice, choose a store:
    // https://github.com/your-org/service-signature/blob/main/docs/replay.md
    onUnhandled: ({ event }) => {
      console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
    },
    onRejected: (error) => {
      console.warn(error.code, error.message)
    },
  })
  return handle(request)
}
