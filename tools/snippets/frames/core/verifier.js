import { serve, signatureOf, snippet } from '../frame.js'

serve(async (body, request) => {
  await snippet.verifier.verify(body, signatureOf(request), { request })
  return 204
})
