import { fastify } from 'fastify'
import { serviceSignature } from '@service-signature/fastify'

const app = fastify()
await app.register(serviceSignature, { secret: process.env.WEBHOOK_SECRET })

app.post('/webhooks', { config: { serviceSignature: true } }, async (request, reply) => {
  console.log('verified:', request.webhook.event.type)
  return reply.code(204).send()
})
app.post('/orders', async (request) => ({ ordered: request.body }))

await app.listen({ port: Number(process.env.PORT ?? 3000) })
