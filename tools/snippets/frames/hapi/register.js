import { server as createServer } from '@hapi/hapi'
import { snippet } from '../frame.js'

const server = createServer({ port: 3000 })
await snippet.register(server)
server.route({
  method: 'POST',
  path: '/webhooks',
  options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
  handler: (_request, h) => h.response().code(204),
})
await server.start()
