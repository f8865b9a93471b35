import { serviceSignature } from '@service-signature/lambda'

export const handler = serviceSignature({ secret: 'test_signature_key' }, ({ event }) => {
  console.log(event.type)
})
