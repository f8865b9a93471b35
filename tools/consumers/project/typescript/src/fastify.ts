import { fastify } from 'fastify'
import { serviceSignature } from '@service-signature/fastify'

export const app = fastify()

app.register(async (scope) => {
  await scope.register(serviceSignature, { secret: 'test_signature_key' })
  scope.post('/webhooks', async (request, reply) => {
    console.log(request.webhook?.event.type)
    return reply.code(204).send()
  })
})
