import { serviceSignature } from '@service-signature/node'

// Next parses JSON by default, and then the signed bytes are lost.
export const config = { api: { bodyParser: false } }

export default serviceSignature({ secret: () => process.env.WEBHOOK_SECRET }, async (webhook) => {
  console.log('verified:', webhook.event.type)
})
