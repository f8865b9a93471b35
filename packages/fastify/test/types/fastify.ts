// Compiled with the workspace (npm run types), never run: how a route sees its delivery.
import { createDispatcher, createVerifier, type VerifiedWebhook } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/fastify'
import { fastify, type FastifyRequest, type FastifyTypeProvider } from 'fastify'
import { is, type Equal } from '../../../core/test/types/assert.js'

const secret = 'test_signature_key'
const app = fastify()

await app.register(serviceSignature, {
  secret: ({ request }) => (request.id === 'berlin' ? [secret] : null),
  onVerified: (webhook, { request }) => {
    is<Equal<typeof webhook, VerifiedWebhook>>()
    is<Equal<typeof request, FastifyRequest>>()
  },
})
app.post('/webhooks', { config: { serviceSignature: true } }, (request) => {
  is<Equal<typeof request.webhook, VerifiedWebhook | undefined>>()
  if (request.webhook?.event.shape === 'intent') void request.webhook.event.payload.data
})
// @ts-expect-error: options go to register
app.post('/webhooks', { config: { serviceSignature: { secret } } }, () => undefined)

app.register(async (scope) => {
  await scope.register(serviceSignature, {
    verifier: createVerifier({ secret }),
    dispatcher: createDispatcher(),
  })
})
// @ts-expect-error: misspelled
await app.register(serviceSignature, { secret, bodylimit: 5 })
// @ts-expect-error: a number of bytes
await app.register(serviceSignature, { secret, bodyLimit: '1mb' })

// Servers of every kind.
await fastify({ http2: true }).register(serviceSignature, { secret })
await fastify({ https: {} }).register(serviceSignature, { secret })
await fastify({ http2: true, https: {} }).register(serviceSignature, { secret })
await fastify({ logger: true }).register(serviceSignature, { secret })

// With a type provider, whose schemas type the rest of the request, and with a logger of the application's own.
interface Provider extends FastifyTypeProvider {
  readonly validator: { readonly account: string }
}
const logger = Object.assign(fastify().log, { audit: () => undefined })
const typed = fastify({ loggerInstance: logger }).withTypeProvider<Provider>()
await typed.register(serviceSignature, { secret })
typed.post('/:account', { config: { serviceSignature: true }, schema: { params: {} } }, (request) => {
  is<Equal<typeof request.webhook, VerifiedWebhook | undefined>>()
  is<Equal<typeof request.params.account, string>>()
  const webhook = request.getDecorator<VerifiedWebhook>('webhook')
  return webhook.event.type
})
await typed.register(serviceSignature, () => ({ secret }))

const options: ServiceSignatureOptions = { secret: ['current', 'previous'], bodyLimit: 5 }
void options
