import { getRequestListener } from '@hono/node-server'
import { listen, OTHER, WEBHOOKS, type Host, type Parser } from '@service-signature/contract'
import { Hono, type MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { endpointOf } from './endpoint.js'
import { serviceSignature } from '@service-signature/fetch/hono'
import { serveRoute, type Route } from './serve-route.js'

/** The adapter's function in a handler of Hono. */
const hono: Host = {
  name: 'Hono 4',
  standsFor: 'receiver',
  // Hono's server keeps the connection open, drains the unread body, and ends it after half a second. The adapter has
  // only a Request, and can neither drain it nor announce the close.
  lacks: ['cutting off'],
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

/** The middleware. */
const honoMiddleware: Host = {
  name: 'Hono 4, as a middleware',
  lacks: ['cutting off'],
  parsers: ['json', 'text', 'raw', 'elsewhere', 'after', 'twice'],
  speaksHttp2: true,
  start({ options, handler, status, parser, isHttp2 }) {
    const app = new Hono()
    app.onError((error, c) => (error instanceof HTTPException ? error.getResponse() : c.text('failed', 500)))
    if (parser === 'elsewhere') app.post(OTHER, async (c) => c.json(await c.req.json<object>()))
    else if (parser === 'twice') app.use(serviceSignature(options))
    else if (parser !== undefined && parser !== 'after') app.use(reading(parser))
    const between: MiddlewareHandler = parser === 'after' ? reading('json') : (_c, next) => next()
    app.post(WEBHOOKS, serviceSignature(options), between, async (c) => {
      await handler(c.var.webhook)
      const answered = status?.() ?? 200
      return new Response([204, 304].includes(answered) ? null : 'handled', { status: answered })
    })
    return listen(getRequestListener(app.fetch), { isHttp2 })
  },
}

/** A middleware that reads the body. */
function reading(parser: Parser): MiddlewareHandler {
  return async (c, next) => {
    await (parser === 'raw' ? c.req.arrayBuffer() : parser === 'json' ? c.req.json() : c.req.text())
    await next()
  }
}

const next: Host = {
  name: 'Next (route handlers)',
  // A route handler has only a Request: the server decides what happens to a connection whose body is too large.
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
}

export const hosts: readonly Host[] = [hono, honoMiddleware, next]
