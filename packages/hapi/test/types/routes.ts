// Compiled with the workspace (npm run types), never run: how a route sees its delivery.
import { server as createServer, type Request } from '@hapi/hapi'
import type { VerifiedWebhook } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions, type WebhookRefs } from '@service-signature/hapi'
import { is, type Equal } from '../../../core/test/types/assert.js'

const server = createServer()
await server.register({ plugin: serviceSignature, options: { secret: 'a secret' } })
await server.register({
  plugin: serviceSignature,
  options: {
    secret: 'a secret',
    onVerified: (webhook, { request }) => {
      is<Equal<typeof webhook, VerifiedWebhook>>()
      is<Equal<typeof request, Request>>()
    },
  },
})
// @ts-expect-error: a number of bytes
await server.register({ plugin: serviceSignature, options: { secret: 'a secret', bodyLimit: '1mb' } })

server.route<WebhookRefs>({
  method: 'POST',
  path: '/webhooks',
  options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
  handler(request, h) {
    is<Equal<typeof request.auth.artifacts, VerifiedWebhook>>()
    is<Equal<typeof request.payload, Buffer>>()
    if (request.auth.artifacts.event.shape === 'intent') void request.auth.artifacts.event.payload.data
    return h.response().code(204)
  },
})

// Other routes are as hapi has them.
server.route({
  method: 'GET',
  path: '/',
  handler(request) {
    is<Equal<typeof request.auth.artifacts, Record<string, unknown>>>()
    return 'open'
  },
})

const options: ServiceSignatureOptions = { secret: ['current', 'previous'], bodyLimit: 5 }
void options
// @ts-expect-error: misspelled
const misspelled: ServiceSignatureOptions = { secret: 'a secret', bodylimit: 5 }
void misspelled
