import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/lambda'
import { redisReplayStore } from '@service-signature/redis'
import { createClient } from 'redis'

const client = createClient({ url: process.env.REDIS_URL, disableOfflineQueue: true })
client.on('error', console.error)
await client.connect()

const dispatcher = createDispatcher().on('transaction.purchase.successful', async ({ payload }) => {
  console.log('paid:', payload.intent.id)
})

export const handler = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  dispatcher,
  replay: redisReplayStore(client),
  onUnhandled: ({ event }) => {
    console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
  },
  onRejected: (error) => console.warn(error.code, error.message),
})
