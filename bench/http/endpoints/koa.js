import { serviceSignature } from '@service-signature/koa'
import Koa from 'koa'
import { once } from 'node:events'
import getRawBody from 'raw-body'
import { SECRET } from '../../contestants/signing.js'
import { constructEvent } from '../stripe-recipe.js'

const raw = (ctx) => getRawBody(ctx.req, { length: ctx.request.length, limit: '1mb' })

/** What stands before the handler, and leaves it an event. */
const GUARDS = {
  ours: [
    serviceSignature({ secret: SECRET }),
    (ctx, next) => {
      ctx.state.event = ctx.state.webhook.event
      return next()
    },
  ],
  unverified: [
    async (ctx, next) => {
      const body = await raw(ctx)
      ctx.state.event = JSON.parse(body.toString())
      return next()
    },
  ],
  stripe: [
    async (ctx, next) => {
      ctx.state.event = constructEvent(await raw(ctx), ctx.headers)
      if (ctx.state.event === undefined) ctx.throw(400)
      return next()
    },
  ],
}

/** @param {keyof typeof GUARDS} guard */
export async function listen(guard) {
  const app = new Koa()
  app.silent = true
  for (const middleware of GUARDS[guard]) app.use(middleware)
  app.use((ctx) => {
    ctx.status = typeof ctx.state.event.type === 'string' ? 204 : 422
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address().port
}
