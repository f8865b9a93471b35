import { serviceSignature } from '@service-signature/fetch'

export const runtime = 'edge'
export const POST = serviceSignature({ secret: () => process.env.WEBHOOK_SECRET }, ({ event }) => {
  console.log(`verified: ${event.type}`)
})
