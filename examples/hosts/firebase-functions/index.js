import { serviceSignature } from '@service-signature/node'
import { onRequest } from 'firebase-functions/https'

const handle = serviceSignature({ secret: () => process.env.WEBHOOK_SECRET }, async (webhook) => {
  console.log('verified:', webhook.event.type)
})

export const webhooks = onRequest({ secrets: ['WEBHOOK_SECRET'] }, handle)
