// One endpoint in a process of its own: `node endpoint.js <host> <guard> [checkout]`. It sends its port, sends its CPU time
// and its memory on request, and ends with the process that started it. A process loads no other host than its own.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Stripe } from 'stripe'
import { importPackage } from '../before.js'
import { SECRET } from '../signing.js'

const [host, guard, checkout] = process.argv.slice(2)
const { webhooks } = new Stripe('sk_test_unused')

/** The adapter of this checkout or of another one, and its options. */
const ours = async (name) => (await importPackage(name, checkout)).serviceSignature
const options = { secret: SECRET }

/** As in the documentation of stripe: every failure is answered with 400. */
function constructEvent(body, headers) {
  try {
    return webhooks.constructEvent(body, headers['stripe-signature'], SECRET)
  } catch {
    return undefined
  }
}

function statusFor(event) {
  if (event === undefined) return 400
  return typeof event.type === 'string' ? 204 : 422
}

/** For each guard, the middleware before the handler, and how the handler gets the event. */
const HOSTS = {
  async express() {
    const { default: express } = await import('express')
    const serviceSignature = await ours('express')
    const raw = express.raw({ type: () => true, limit: '1mb' })
    const guards = {
      ours: [serviceSignature(options), ({ webhook }) => webhook.event],
      unverified: [raw, ({ body }) => JSON.parse(body.toString())],
      stripe: [raw, ({ body, headers }) => constructEvent(body, headers)],
    }
    const [before, eventOf] = guards[guard]
    const app = express()
    app.post('/webhooks', before, (req, res) => res.sendStatus(statusFor(eventOf(req))))
    app.use((error, _req, res, _next) => res.sendStatus(error.status ?? 500))
    return listening(app.listen(0, '127.0.0.1'))
  },

  async koa() {
    const { default: Koa } = await import('koa')
    const { default: getRawBody } = await import('raw-body')
    const serviceSignature = await ours('koa')
    const raw = async (ctx, next) => {
      ctx.state.raw = await getRawBody(ctx.req, { length: ctx.request.length, limit: '1mb' })
      return next()
    }
    const guards = {
      ours: [serviceSignature(options), ({ state }) => state.webhook.event],
      unverified: [raw, ({ state }) => JSON.parse(state.raw.toString())],
      stripe: [raw, ({ state, headers }) => constructEvent(state.raw, headers)],
    }
    const [before, eventOf] = guards[guard]
    const app = new Koa()
    app.silent = true
    app.use(before)
    app.use((ctx) => {
      ctx.status = statusFor(eventOf(ctx))
    })
    return listening(app.listen(0, '127.0.0.1'))
  },

  async hapi() {
    const { default: Hapi } = await import('@hapi/hapi')
    const guards = {
      ours: ['service-signature', ({ auth }) => auth.artifacts.event],
      unverified: [false, ({ payload }) => JSON.parse(payload.toString())],
      stripe: [false, ({ payload, headers }) => constructEvent(payload, headers)],
    }
    const [auth, eventOf] = guards[guard]
    const server = Hapi.server({ host: '127.0.0.1', port: 0 })
    if (guard === 'ours') await server.register({ plugin: await ours('hapi'), options })
    server.route({
      method: 'POST',
      path: '/webhooks',
      options: { auth, payload: { parse: false, output: 'data' } },
      handler: (request, h) => h.response().code(statusFor(eventOf(request))),
    })
    await server.start()
    return server.info.port
  },

  async fastify() {
    const { default: fastify } = await import('fastify')
    const app = fastify()
    const guards = {
      ours: ({ webhook }) => webhook.event,
      unverified: ({ body }) => JSON.parse(body.toString()),
      stripe: ({ body, headers }) => constructEvent(body, headers),
    }
    const eventOf = guards[guard]
    await app.register(async (scope) => {
      if (guard === 'ours') await scope.register(await ours('fastify'), options)
      else {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      }
      scope.post('/webhooks', async (request, reply) => reply.code(statusFor(eventOf(request))).send())
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server.address().port
  },

  async node() {
    const answer = (res, event) => {
      res.statusCode = statusFor(event)
      res.end()
    }
    const withBody = (eventOf) => (req, res) => {
      const chunks = []
      req.on('data', (chunk) => chunks.push(chunk))
      req.on('end', () => answer(res, eventOf(Buffer.concat(chunks), req.headers)))
    }
    const guards = {
      ours: async () => (await ours('node'))(options, ({ event }, _req, res) => answer(res, event)),
      unverified: () => withBody((body) => JSON.parse(body.toString())),
      stripe: () => withBody(constructEvent),
    }
    return listening(createServer(await guards[guard]()).listen(0, '127.0.0.1'))
  },

  async hono() {
    const { Hono } = await import('hono')
    const { getRequestListener } = await import('@hono/node-server')
    const answer = (event) => new Response(null, { status: statusFor(event) })
    const withBody = (eventOf) => async (c) =>
      answer(eventOf(Buffer.from(await c.req.arrayBuffer()), c.req.header()))
    const guards = {
      async ours() {
        const handle = (await ours('fetch'))(options, ({ event }) => answer(event))
        return (c) => handle(c.req.raw)
      },
      unverified: () => withBody((body) => JSON.parse(body.toString())),
      stripe: () => withBody(constructEvent),
    }
    const app = new Hono()
    app.post('/webhooks', await guards[guard]())
    return listening(createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1'))
  },
}

async function listening(server) {
  await once(server, 'listening')
  return server.address().port
}

process.on('disconnect', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system, memory: process.memoryUsage().rss })
})
process.send({ port: await HOSTS[host]() })
