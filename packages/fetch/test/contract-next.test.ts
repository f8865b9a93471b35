import { contract, OTHER, WEBHOOKS } from '@service-signature/contract'
import { endpointOf } from './support/endpoint.js'
import { serveRoute, type Route } from './support/serve-route.js'

contract({
  name: 'Next (route handlers)',
  // A route handler has nothing but a Request: what becomes of a connection whose body is too large is up to the server.
  lacks: ['cutting off'],
  parsers: ['json', 'text', 'elsewhere'],
  start(setup) {
    const POST = endpointOf(setup)
    const { parser } = setup
    const routes: Record<string, Route> = {
      async [WEBHOOKS](request) {
        if (parser === 'json' || parser === 'text') await request[parser]()
        return POST(request, { params: Promise.resolve({}) })
      },
      [OTHER]: async (request) => Response.json(await request.json()),
    }
    return serveRoute((request) => routes[new URL(request.url).pathname]!(request))
  },
})
