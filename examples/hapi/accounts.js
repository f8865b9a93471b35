import { server as createServer } from '@hapi/hapi'
import { serviceSignature } from '@service-signature/hapi'

const { BERLIN_SECRET, MADRID_SECRET, PORT = 3000 } = process.env
if (!BERLIN_SECRET || !MADRID_SECRET) throw new Error('Set BERLIN_SECRET and MADRID_SECRET')

const server = createServer({ port: PORT })
await server.register({ plugin: serviceSignature, options: { secret: BERLIN_SECRET } })
server.auth.strategy('madrid', 'service-signature', { secret: MADRID_SECRET })

/** @type {import('@hapi/hapi').RouteOptionsPayload} */
const payload = { parse: false, output: 'data' }
const handler = (request, h) => h.response().code(204)
server.route([
  { method: 'POST', path: '/berlin', options: { auth: 'service-signature', payload }, handler },
  { method: 'POST', path: '/madrid', options: { auth: 'madrid', payload }, handler },
])
await server.start()
