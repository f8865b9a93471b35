import { serviceSignature } from '@service-signature/node'
import { fromNodeMiddleware } from 'h3'

const handle = serviceSignature({ secret: () => process.env.WEBHOOK_SECRET }, async (webhook) => {
  console.log('verified:', webhook.event.type)
})

export default fromNodeMiddleware(handle)
