// One endpoint per host, with the adapter as its README shows it. `load` is `import` or `require`.
const { once } = require('node:events')
const { createServer } = require('node:http')
const { buffer } = require('node:stream/consumers')

const defaultOf = (namespace) => namespace.default ?? namespace

/** Each starts an endpoint and returns its server. `handled` is called with every delivery that reaches the handler. */
const hosts = {
  async core(load, options, handled) {
    const { createVerifier, WebhookError } = await load('@service-signature/core')
    const verifier = createVerifier(options)
    return listen(async (req, res) => {
      try {
        handled(await verifier.verify(await buffer(req), req.headers['service-signature']))
        res.writeHead(204).end()
      } catch (error) {
        res.writeHead(WebhookError.is(error) ? error.status : 500).end()
      }
    })
  },

  express: (load, ...rest) => express('express', load, ...rest),
  express4: (load, ...rest) => express('express4', load, ...rest),

  async koa(load, options, handled) {
    const { serviceSignature } = await load('@service-signature/koa')
    const Koa = defaultOf(await load('koa'))
    const app = new Koa()
    app.silent = true
    app.use(serviceSignature(options))
    app.use((ctx) => {
      handled(ctx.state.webhook)
      ctx.status = 204
    })
    return listen(app.callback())
  },

  async hapi(load, options, handled) {
    const { serviceSignature } = await load('@service-signature/hapi')
    const server = (await load('@hapi/hapi')).server({ port: 0, host: '127.0.0.1' })
    await server.register({ plugin: serviceSignature, options })
    server.route({
      method: 'POST',
      path: '/webhooks',
      options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
      handler(request, h) {
        handled(request.auth.artifacts)
        return h.response().code(204)
      },
    })
    await server.start()
    return server.listener
  },

  async fastify(load, options, handled) {
    const { serviceSignature } = await load('@service-signature/fastify')
    const app = defaultOf(await load('fastify'))()
    await app.register(serviceSignature, options)
    app.post('/webhooks', { config: { serviceSignature: true } }, (request, reply) => {
      handled(request.webhook)
      return reply.code(204).send()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },

  /** Decorators are functions, which JavaScript calls itself. */
  async nest(load, options, handled) {
    const { ServiceSignature, ServiceSignatureModule, unparsed, Webhook } =
      await load('@service-signature/nest')
    const { Controller, HttpCode, Module, Post } = await load('@nestjs/common')
    const { NestFactory } = await load('@nestjs/core')
    class Deliveries {
      receive(webhook) {
        handled(webhook)
      }
    }
    const method = Object.getOwnPropertyDescriptor(Deliveries.prototype, 'receive')
    for (const decorate of [Post('webhooks'), HttpCode(204), ServiceSignature()])
      decorate(Deliveries.prototype, 'receive', method)
    Webhook()(Deliveries.prototype, 'receive', 0)
    Controller()(Deliveries)
    function App() {
      // Its decorators say all of it.
    }
    Module({ imports: [ServiceSignatureModule.forRoot(options)], controllers: [Deliveries] })(App)
    const app = await NestFactory.create(App, { logger: false, abortOnError: false })
    app.use('/webhooks', unparsed)
    await app.listen(0, '127.0.0.1')
    return app.getHttpServer()
  },

  async fetch(load, options, handled) {
    const { serviceSignature } = await load('@service-signature/fetch')
    const handle = serviceSignature(options, handled)
    return listenWithHono(load, (app) => app.post('/webhooks', (c) => handle(c.req.raw, c)))
  },

  async hono(load, options, handled) {
    const { serviceSignature } = await load('@service-signature/fetch/hono')
    return listenWithHono(load, (app) =>
      app.post('/webhooks', serviceSignature(options), (c) => {
        handled(c.var.webhook)
        return c.body(null, 204)
      }),
    )
  },

  async node(load, options, handled) {
    const { serviceSignature } = await load('@service-signature/node')
    return listen(serviceSignature(options, handled))
  },

  async lambda(load, options, handled) {
    const { serviceSignature } = await load('@service-signature/lambda')
    const handle = serviceSignature(options, (webhook) => {
      handled(webhook)
      return { statusCode: 204 }
    })
    return listen(async (req, res) => {
      const body = (await buffer(req)).toString('base64')
      const requestContext = { http: { method: req.method, path: '/webhooks' } }
      const { headers } = req
      const event = { version: '2.0', headers, body, isBase64Encoded: true, requestContext }
      res.writeHead((await handle(event, {})).statusCode).end()
    })
  },
}

async function express(host, load, options, handled) {
  const { serviceSignature } = await load('@service-signature/express')
  const app = defaultOf(await load(host))()
  app.set('env', 'test') // otherwise Express prints the refusals
  app.post('/webhooks', serviceSignature(options), (req, res) => {
    handled(req.webhook)
    res.sendStatus(204)
  })
  return listen(app)
}

async function listenWithHono(load, addRoute) {
  const { Hono } = await load('hono')
  const { getRequestListener } = await load('@hono/node-server')
  const app = new Hono()
  addRoute(app)
  return listen(getRequestListener(app.fetch))
}

async function listen(answer) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

module.exports = { hosts }
