import { serve, snippet } from '../frame.js'

serve(async (body, { headers }) => {
  const request = new Request('http://localhost/webhooks', { method: 'POST', headers, body })
  return (await snippet.POST(request)).status
})
