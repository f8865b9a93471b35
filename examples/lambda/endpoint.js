import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/lambda'
import { redisReplayStore } from '@service-signature/redis'
import { Redis } from 'ioredis'

const { REDIS_URL, WEBHOOK_SECRET } = process.env
if (!REDIS_URL || !WEBHOOK_SECRET) throw new Error('Set REDIS_URL and WEBHOOK_SECRET')

const client = new Redis(REDIS_URL, {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  socketTimeout: 3000,
})
client.on('error', console.error)
await new Promise((resolve) => client.once('ready', resolve))

const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { id, status } = payload.data.intent
  if (status === 'PROCESSED') console.log('paid:', id)
})

export const handler = serviceSignature({
  secret: WEBHOOK_SECRET,
  dispatcher,
  replay: redisReplayStore(client),
  onUnhandled: ({ event }) => {
    console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
  },
  onRejected: (error) => console.warn(error.code, error.message),
})
