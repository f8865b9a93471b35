import { serve, snippet } from '../frame.js'

// As a function URL calls it.
serve(async (body, { headers }) => {
  const event = {
    version: '2.0',
    rawPath: '/webhooks',
    headers,
    body: body.toString('base64'),
    isBase64Encoded: true,
    requestContext: { http: { method: 'POST', path: '/webhooks' } },
  }
  return (await snippet.handler(event, { awsRequestId: '1' })).statusCode
})
