import { serviceSignature } from '@service-signature/fetch'

export const POST = serviceSignature({ secret: 'test_signature_key' }, ({ event }) => {
  console.log(event.type)
  return new Response(null, { status: 204 })
})
