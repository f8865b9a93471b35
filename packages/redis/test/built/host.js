// An endpoint in a process of its own, on the host and with the store of its environment. Its handler takes 12 s for a
// payment and 400 ms for every other event, and reports each booking.
import { serve } from '@hono/node-server'
import { server as hapi } from '@hapi/hapi'
import Router from '@koa/router'
import { memoryReplayStore } from '@service-signature/core'
import { serviceSignature as expressSignature } from '@service-signature/express'
import { serviceSignature as fastifySignature } from '@service-signature/fastify'
import { serviceSignature as fetchSignature } from '@service-signature/fetch'
import { serviceSignature as hapiSignature } from '@service-signature/hapi'
import { serviceSignature as koaSignature } from '@service-signature/koa'
import { redisReplayStore } from '@service-signature/redis'
import express from 'express'
import { fastify } from 'fastify'
import Koa from 'koa'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { createClient } from 'redis'

const { HOST, REDIS_URL, SECRET, STORE } = process.env

const stores = {
  memory: () => memoryReplayStore(),
  async Redis() {
    const client = createClient({ url: REDIS_URL }).on('error', () => undefined)
    return redisReplayStore(await client.connect(), { prefix: `${HOST}:` })
  },
}
const options = { secret: SECRET, replay: await stores[STORE]() }

async function book({ event }) {
  await setTimeout(event.shape === 'transaction' ? 12_000 : 400)
  process.send({ booked: event.shape })
}

/** Starts the host, and resolves to its port. */
const hosts = {
  async Express() {
    const app = express()
    app.post('/webhooks', expressSignature(options), async (req, res) => {
      await book(req.webhook)
      res.sendStatus(204)
    })
    return portOf(app.listen(0, '127.0.0.1'))
  },

  async Koa() {
    const app = new Koa()
    const router = new Router().post('/webhooks', koaSignature(options), async (ctx) => {
      await book(ctx.state.webhook)
      ctx.status = 204
    })
    app.silent = true
    return portOf(app.use(router.routes()).listen(0, '127.0.0.1'))
  },

  async hapi() {
    const server = hapi({ host: '127.0.0.1', debug: false })
    await server.register({ plugin: hapiSignature, options })
    server.route({
      method: 'POST',
      path: '/webhooks',
      options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
      async handler(request, h) {
        await book(request.auth.artifacts)
        return h.response().code(204)
      },
    })
    await server.start()
    return server.info.port
  },

  async Fastify() {
    const app = fastify()
    app.register(async (scope) => {
      await scope.register(fastifySignature, options)
      scope.post('/webhooks', async (request, reply) => {
        await book(request.webhook)
        return reply.code(204).send()
      })
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    return app.server.address().port
  },

  async fetch() {
    const handle = fetchSignature(options, book)
    return portOf(serve({ fetch: (request) => handle(request), hostname: '127.0.0.1', port: 0 }))
  },
}

async function portOf(server) {
  if (!server.listening) await once(server, 'listening')
  return server.address().port
}

process.send({ port: await hosts[HOST]() })
