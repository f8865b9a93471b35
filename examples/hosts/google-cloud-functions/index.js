import { http } from '@google-cloud/functions-framework'
import { serviceSignature } from '@service-signature/node'

const handle = serviceSignature({ secret: process.env.WEBHOOK_SECRET }, async (webhook) => {
  console.log('verified:', webhook.event.type)
})

http('webhooks', handle)
