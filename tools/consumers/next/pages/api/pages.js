import { serviceSignature } from '@service-signature/node'

export const config = { api: { bodyParser: false } }
export default serviceSignature({ secret: () => process.env.WEBHOOK_SECRET }, ({ event }) => {
  console.log(`verified: ${event.type}`)
})
