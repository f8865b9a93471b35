import { createVerifier } from '@service-signature/core'
import { serve, signatureOf, snippet } from '../frame.js'

const verifier = createVerifier({ secret: process.env.WEBHOOK_SECRET })

serve(async (body, request) => {
  await snippet.dispatcher.dispatch(await verifier.verify(body, signatureOf(request)))
  return 204
})
