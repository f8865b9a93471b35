import { server as createServer } from '@hapi/hapi'
import { serviceSignature, type WebhookRefs } from '@service-signature/hapi'

export async function start(): Promise<void> {
  const server = createServer({ port: 0 })
  await server.register({ plugin: serviceSignature, options: { secret: 'test_signature_key' } })
  server.route<WebhookRefs>({
    method: 'POST',
    path: '/webhooks',
    options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
    handler(request, h) {
      console.log(request.auth.artifacts.event.type)
      return h.response().code(204)
    },
  })
}
