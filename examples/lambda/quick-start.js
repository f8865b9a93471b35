import { serviceSignature } from '@service-signature/lambda'

export const handler = serviceSignature({ secret: process.env.WEBHOOK_SECRET }, async ({ event }) => {
  console.log('verified:', event.type)
})
