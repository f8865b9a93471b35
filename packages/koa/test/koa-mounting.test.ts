import Router from '@koa/router'
import { serviceSignature } from '@service-signature/koa'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import mount from 'koa-mount'
import { describe, expect, it, vi } from 'vitest'
import { secret, timestamp } from '../../core/test/support/deliveries.js'
import { options, refused, send, serve, valid, versions } from './support/serve.js'

type Mount = (app: Koa, handler: Middleware, inner: Koa) => unknown

describe.each(versions)('%s', (_name, Application) => {
  it.each<readonly [how: string, path: string, mount: Mount]>([
    [
      'the application itself',
      '/webhooks',
      (app, handler) => app.use(serviceSignature(options)).use(handler),
    ],
    [
      'a router with a prefix',
      '/hooks/payment',
      (app, handler) => {
        const router = new Router({ prefix: '/hooks' })
        router.post('/payment', serviceSignature(options), handler)
        app.use(router.routes()).use(router.allowedMethods())
      },
    ],
    [
      'all routes of a router',
      '/hooks/payment',
      (app, handler) => {
        const router = new Router({ prefix: '/hooks' })
        router.use(serviceSignature(options)).post('/payment', handler)
        app.use(router.routes())
      },
    ],
    [
      'a router with a parameter that names the account',
      '/accounts/berlin/webhooks',
      (app, handler) => {
        const router = new Router()
        const guard = serviceSignature({
          ...options,
          secret({ request: ctx }) {
            const { account } = ctx['params'] as { readonly account?: string }
            return account === 'berlin' ? [secret] : null
          },
        })
        app.use(router.post('/accounts/:account/webhooks', guard, handler).routes())
      },
    ],
    [
      'koa-mount, as a middleware',
      '/hooks/payment',
      (app, handler) => app.use(mount('/hooks/payment', serviceSignature(options))).use(handler),
    ],
    [
      'koa-mount, in an application of its own',
      '/hooks/payment',
      (app, handler, inner) => {
        app.use(mount('/hooks', inner.use(serviceSignature(options)).use(handler)))
      },
    ],
  ])('guards a route in %s', async (_how, path, mountIn) => {
    const app = new Application()
    app.silent = true
    const handler = vi.fn<Middleware>((ctx) => {
      ctx.body = { timestamp: ctx.state.webhook?.timestamp }
    })
    mountIn(app, handler, new Application())
    const origin = await serve(app)
    for (const signature of Object.values(refused)) {
      expect((await send(origin + path, signature)).status).toBe(401)
    }
    expect(handler).not.toHaveBeenCalled()
    const answer = await send(origin + path, valid)
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: { timestamp } })
  })
})
