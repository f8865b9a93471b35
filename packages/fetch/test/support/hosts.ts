import { getRequestListener } from '@hono/node-server'
import { listen, OTHER, WEBHOOKS, type Host } from '@service-signature/contract'
import { Hono } from 'hono'
import { endpointOf } from './endpoint.js'
import { serveRoute, type Route } from './serve-route.js'

const hono: Host = {
  name: 'Hono 4',
  // Hono's server keeps the connection open, drains what was not read, and ends it after half a second. The adapter has
  // only a Request, and can neither drain it nor announce the close. It does not look at `request.signal`.
  lacks: ['cutting off', 'seeing hang-ups'],
  parsers: ['json', 'text', 'elsewhere'],
  start(setup) {
    const handle = endpointOf(setup)
    const app = new Hono()
    app.onError((_error, c) => c.text('failed', 500))
    if (setup.parser === 'elsewhere') {
      app.post(OTHER, async (c) => c.json(await c.req.json<object>()))
    } else if (setup.parser !== undefined) {
      const parse = setup.parser === 'json' ? 'json' : 'text'
      app.use(async (c, next) => {
        await c.req[parse]()
        await next()
      })
    }
    app.post(WEBHOOKS, (c) => handle(c.req.raw, c))
    return listen(getRequestListener(app.fetch))
  },
}

const next: Host = {
  name: 'Next (route handlers)',
  // A route handler has only a Request: the server decides what happens to a connection whose body is too large. The
  // adapter does not look at `request.signal`.
  lacks: ['cutting off', 'seeing hang-ups'],
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
}

export const hosts: readonly Host[] = [hono, next]
