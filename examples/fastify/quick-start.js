import { fastify } from 'fastify'
import { serviceSignature } from '@service-signature/fastify'

const app = fastify()

app.register(async (scope) => {
  await scope.register(serviceSignature, {
    secret: process.env.WEBHOOK_SECRET,
    onRejected: (error) => console.warn(error.code, error.message),
  })
  scope.post('/webhooks', async (request, reply) => {
    console.log('verified:', request.webhook.event.type)
    return reply.code(204).send()
  })
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
