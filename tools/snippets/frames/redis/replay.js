import { once } from 'node:events'
import { createVerifier } from '@service-signature/core'
import { serve, signatureOf, snippet } from '../frame.js'

const verifier = createVerifier({ secret: process.env.WEBHOOK_SECRET, replay: snippet.replay })

await once(snippet.client, 'ready')

serve(async (body, request) => {
  const { status } = await verifier.receive(body, signatureOf(request), ({ event }) => {
    console.log('for the first time:', event.type)
  })
  return status
})
