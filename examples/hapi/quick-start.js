import { server as createServer } from '@hapi/hapi'
import { serviceSignature } from '@service-signature/hapi'

const server = createServer({ port: process.env.PORT ?? 3000 })
const options = {
  secret: process.env.WEBHOOK_SECRET,
  onRejected: (error) => console.warn(error.code, error.message),
}
await server.register({ plugin: serviceSignature, options })

server.route({
  method: 'POST',
  path: '/webhooks',
  options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
  handler(request, h) {
    console.log('verified:', request.auth.artifacts.event.type)
    return h.response().code(204)
  },
})

await server.start()
