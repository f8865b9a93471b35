// One endpoint in a process of its own: `node endpoint.js <host> <guard>`. A process loads no other host than its own.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Stripe } from 'stripe'
import { SECRET } from '../signing.js'

const [host, guard] = process.argv.slice(2)
const isOurs = guard === 'ours'
const options = { secret: SECRET }
const adapter = async (name) => (await import(`@service-signature/${name}`)).serviceSignature
const { webhooks } = new Stripe('sk_test_unused')

/** The event in a raw body, without verification or by the documentation of stripe, where every failure is a 400. */
function eventIn(body, headers) {
  if (guard === 'unverified') return JSON.parse(body.toString())
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

/** Each serves with our adapter, or with the raw body that the host itself makes. */
const HOSTS = {
  async express() {
    const { default: express } = await import('express')
    const serviceSignature = await adapter('express')
    const before = isOurs ? serviceSignature(options) : express.raw({ type: () => true, limit: '1mb' })
    const eventOf = (req) => (isOurs ? req.webhook.event : eventIn(req.body, req.headers))
    const app = express()
    app.post('/webhooks', before, (req, res) => res.sendStatus(statusFor(eventOf(req))))
    app.use((error, _req, res, _next) => res.sendStatus(error.status ?? 500))
    return listening(createServer(app))
  },

  async koa() {
    const { default: Koa } = await import('koa')
    const { default: getRawBody } = await import('raw-body')
    const serviceSignature = await adapter('koa')
    const raw = async (ctx, next) => {
      ctx.state.raw = await getRawBody(ctx.req, { length: ctx.request.length, limit: '1mb' })
      return next()
    }
    const app = new Koa()
    app.silent = true
    app.use(isOurs ? serviceSignature(options) : raw)
    app.use((ctx) => {
      const { state } = ctx
      ctx.status = statusFor(isOurs ? state.webhook.event : eventIn(state.raw, ctx.headers))
    })
    return listening(createServer(app.callback()))
  },

  async hapi() {
    const { default: Hapi } = await import('@hapi/hapi')
    const server = Hapi.server({ host: '127.0.0.1', port: 0 })
    if (isOurs) await server.register({ plugin: await adapter('hapi'), options })
    const eventOf = ({ auth, payload, headers }) =>
      isOurs ? auth.artifacts.event : eventIn(payload, headers)
    server.route({
      method: 'POST',
      path: '/webhooks',
      options: { auth: isOurs && 'service-signature', payload: { parse: false, output: 'data' } },
      handler: (request, h) => h.response().code(statusFor(eventOf(request))),
    })
    await server.start()
    return server.info.port
  },

  async fastify() {
    const { default: fastify } = await import('fastify')
    const app = fastify()
    const eventOf = ({ webhook, body, headers }) => (isOurs ? webhook.event : eventIn(body, headers))
    await app.register(async (scope) => {
      if (isOurs) await scope.register(await adapter('fastify'), options)
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
    const raw = (req, res) => {
      const chunks = []
      req.on('data', (chunk) => chunks.push(chunk))
      req.on('end', () => answer(res, eventIn(Buffer.concat(chunks), req.headers)))
    }
    const serviceSignature = await adapter('node')
    const ours = serviceSignature(options, ({ event }, _req, res) => answer(res, event))
    return listening(createServer(isOurs ? ours : raw))
  },

  async hono() {
    const { Hono } = await import('hono')
    const { getRequestListener } = await import('@hono/node-server')
    const serviceSignature = await adapter('fetch')
    const answer = (event) => new Response(null, { status: statusFor(event) })
    const handle = serviceSignature(options, ({ event }) => answer(event))
    const raw = async (c) => answer(eventIn(Buffer.from(await c.req.arrayBuffer()), c.req.header()))
    const app = new Hono()
    app.post('/webhooks', isOurs ? (c) => handle(c.req.raw) : raw)
    return listening(createServer(getRequestListener(app.fetch)))
  },
}

/** Listens on a free port of this machine, and resolves to it. */
async function listening(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address().port
}

// It sends the port, and the CPU time on request, to the process that started it, and ends with that.
process.on('disconnect', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system })
})
process.send({ port: await HOSTS[host]() })
