// One endpoint in a process of its own: `node endpoint.js <host> <guard>`. It sends its port, sends its CPU time on
// request, and ends with the process that started it. A process loads no other host than its own.
import { once } from 'node:events'
import { Stripe } from 'stripe'
import { SECRET } from '../signing.js'

const { webhooks } = new Stripe('sk_test_unused')

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

/** For each guard, what runs before the handler, and how the handler gets the event. */
const HOSTS = {
  async express(guard) {
    const { default: express } = await import('express')
    const { serviceSignature } = await import('@service-signature/express')
    const raw = express.raw({ type: () => true, limit: '1mb' })
    const guards = {
      ours: [serviceSignature({ secret: SECRET }), ({ webhook }) => webhook.event],
      unverified: [raw, ({ body }) => JSON.parse(body.toString())],
      stripe: [raw, ({ body, headers }) => constructEvent(body, headers)],
    }
    const [before, eventOf] = guards[guard]
    const app = express()
    app.post('/webhooks', before, (req, res) => res.sendStatus(statusFor(eventOf(req))))
    app.use((error, _req, res, _next) => res.sendStatus(error.status ?? 500))
    return listening(app.listen(0, '127.0.0.1'))
  },

  async koa(guard) {
    const { default: Koa } = await import('koa')
    const { default: getRawBody } = await import('raw-body')
    const { serviceSignature } = await import('@service-signature/koa')
    const raw = async (ctx, next) => {
      ctx.state.raw = await getRawBody(ctx.req, { length: ctx.request.length, limit: '1mb' })
      return next()
    }
    const guards = {
      ours: [serviceSignature({ secret: SECRET }), ({ state }) => state.webhook.event],
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

  async hapi(guard) {
    const { default: Hapi } = await import('@hapi/hapi')
    const { serviceSignature } = await import('@service-signature/hapi')
    const guards = {
      ours: ['service-signature', ({ auth }) => auth.artifacts.event],
      unverified: [false, ({ payload }) => JSON.parse(payload.toString())],
      stripe: [false, ({ payload, headers }) => constructEvent(payload, headers)],
    }
    const [auth, eventOf] = guards[guard]
    const server = Hapi.server({ host: '127.0.0.1', port: 0 })
    if (guard === 'ours') await server.register({ plugin: serviceSignature, options: { secret: SECRET } })
    server.route({
      method: 'POST',
      path: '/webhooks',
      options: { auth, payload: { parse: false, output: 'data' } },
      handler: (request, h) => h.response().code(statusFor(eventOf(request))),
    })
    await server.start()
    return server.info.port
  },
}

async function listening(server) {
  await once(server, 'listening')
  return server.address().port
}

const [host, guard] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
process.on('message', () => process.send(process.cpuUsage()))
process.send({ port: await HOSTS[host](guard) })
