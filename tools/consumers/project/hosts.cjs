// One endpoint per host, with the adapter as its README shows it. `load` is `import` or `require`.
const { once } = require('node:events')
const { createServer } = require('node:http')

const defaultOf = (namespace) => namespace.default ?? namespace

/** Each starts an endpoint and returns its server. `handled` is called with every delivery that reaches the handler. */
const hosts = {
  async core(load, secret, handled) {
    const { createVerifier, WebhookError } = await load('@service-signature/core')
    const verifier = createVerifier({ secret })
    return listen(async (req, res) => {
      try {
        handled(await verifier.verify(await bytesOf(req), req.headers['service-signature']))
        res.writeHead(204).end()
      } catch (error) {
        res.writeHead(WebhookError.is(error) ? error.status : 500).end()
      }
    })
  },

  express: (load, ...rest) => express('express', load, ...rest),
  express4: (load, ...rest) => express('express4', load, ...rest),

  async koa(load, secret, handled) {
    const { serviceSignature } = await load('@service-signature/koa')
    const Koa = defaultOf(await load('koa'))
    const app = new Koa()
    app.silent = true
    app.use(serviceSignature({ secret }))
    app.use((ctx) => {
      handled(ctx.state.webhook)
      ctx.status = 204
    })
    return listen(app.callback())
  },

  async hapi(load, secret, handled) {
    const { serviceSignature } = await load('@service-signature/hapi')
    const server = (await load('@hapi/hapi')).server({ port: 0, host: '127.0.0.1' })
    await server.register({ plugin: serviceSignature, options: { secret } })
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

  async fastify(load, secret, handled) {
    const { serviceSignature } = await load('@service-signature/fastify')
    const app = defaultOf(await load('fastify'))()
    await app.register(serviceSignature, { secret })
    app.post('/webhooks', { config: { serviceSignature: true } }, (request, reply) => {
      handled(request.webhook)
      return reply.code(204).send()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },

  async fetch(load, secret, handled) {
    const { serviceSignature } = await load('@service-signature/fetch')
    const handle = serviceSignature({ secret }, (webhook) => {
      handled(webhook)
      return new Response(null, { status: 204 })
    })
    return listen(async (req, res) => {
      const { method, headers } = req
      const request = new Request('http://localhost/webhooks', { method, headers, body: await bytesOf(req) })
      res.writeHead((await handle(request)).status).end()
    })
  },

  async hono(load, secret, handled) {
    const { serviceSignature } = await load('@service-signature/fetch/hono')
    return listenWithHono(load, (app) =>
      app.post('/webhooks', serviceSignature({ secret }), (c) => {
        handled(c.var.webhook)
        return c.body(null, 204)
      }),
    )
  },

  async honoFetch(load, secret, handled) {
    const { serviceSignature } = await load('@service-signature/fetch')
    const handle = serviceSignature({ secret }, (webhook) => {
      handled(webhook)
    })
    return listenWithHono(load, (app) => app.post('/webhooks', (c) => handle(c.req.raw, c)))
  },

  async node(load, secret, handled) {
    const { serviceSignature } = await load('@service-signature/node')
    return listen(serviceSignature({ secret }, handled))
  },

  async lambda(load, secret, handled) {
    const { serviceSignature } = await load('@service-signature/lambda')
    const handle = serviceSignature({ secret }, (webhook) => {
      handled(webhook)
      return { statusCode: 204 }
    })
    return listen(async (req, res) => {
      const body = (await bytesOf(req)).toString('base64')
      const http = { method: req.method, path: '/webhooks' }
      const event = {
        version: '2.0',
        headers: req.headers,
        body,
        isBase64Encoded: true,
        requestContext: { http },
      }
      res.writeHead((await handle(event, {})).statusCode).end()
    })
  },
}

async function express(host, load, secret, handled) {
  const { serviceSignature } = await load('@service-signature/express')
  const app = defaultOf(await load(host))()
  app.set('env', 'test') // otherwise Express prints the refusals
  app.post('/webhooks', serviceSignature({ secret }), (req, res) => {
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

async function bytesOf(req) {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks)
}

module.exports = { hosts }
