import { serve, signatureOf, snippet } from '../frame.js'

serve(async (body, request) => {
  try {
    return (await snippet.receive(body, signatureOf(request))).status
  } catch (error) {
    return error.status
  }
})
