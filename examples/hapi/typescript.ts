import { server as createServer } from '@hapi/hapi'
import { serviceSignature, type WebhookRefs } from '@service-signature/hapi'

const server = createServer({ port: process.env['PORT'] ?? 3000 })
await server.register({
  plugin: serviceSignature,
  options: { secret: process.env['WEBHOOK_SECRET'] ?? '' },
})

server.route<WebhookRefs>({
  method: 'POST',
  path: '/webhooks',
  options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
  handler(request, h) {
    const { event } = request.auth.artifacts
    if (event.shape === 'transaction') console.log('verified:', event.payload.intent.id)
    return h.response().code(204)
  },
})

await server.start()
