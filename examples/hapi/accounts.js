import { server as createServer } from '@hapi/hapi'
import { serviceSignature } from '@service-signature/hapi'

const server = createServer({ port: process.env.PORT ?? 3000 })
await server.register({ plugin: serviceSignature, options: { secret: process.env.BERLIN_SECRET } })
server.auth.strategy('madrid', 'service-signature', { secret: process.env.MADRID_SECRET })

/** @type {import('@hapi/hapi').RouteOptionsPayload} */
const payload = { parse: false, output: 'data' }
const handler = (request, h) => h.response().code(204)
server.route([
  { method: 'POST', path: '/berlin', options: { auth: 'service-signature', payload }, handler },
  { method: 'POST', path: '/madrid', options: { auth: 'madrid', payload }, handler },
])
await server.start()
