import { serve, snippet } from '../frame.js'

// As Workers call it.
serve(async (body, { headers }) => {
  const request = new Request('http://localhost/webhooks', { method: 'POST', headers, body })
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined }
  return (await snippet.default.fetch(request, process.env, context)).status
})
