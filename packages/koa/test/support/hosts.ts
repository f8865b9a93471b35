import { listen, OTHER, WEBHOOKS, type Host, type Parser } from '@service-signature/contract'
import Router from '@koa/router'
import { serviceSignature } from '@service-signature/koa'
import Koa3, { type Middleware } from 'koa'
import Koa2 from 'koa2'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'

// Not by an import: its types would give every request of this workspace a `rawBody` that is a string.
const require = createRequire(import.meta.url)
const { bodyParser } = require('@koa/bodyparser') as {
  readonly bodyParser: (options?: { readonly enableTypes: readonly string[] }) => Middleware
}

const parsers: Readonly<Record<Exclude<Parser, 'twice'>, Middleware>> = {
  json: bodyParser(),
  text: bodyParser({ enableTypes: ['text'] }),
  async raw({ request, req }, next) {
    Object.assign(request, { body: await buffer(req) })
    await next()
  },
  // As cloud functions leave it.
  async kept({ req }, next) {
    const rawBody = await buffer(req)
    Object.assign(req, { rawBody, body: JSON.parse(String(rawBody)) as unknown })
    await next()
  },
  skipped: bodyParser(),
  elsewhere: bodyParser(),
  after: bodyParser(),
}

export const hosts = [
  { name: 'Koa 3', Koa: Koa3 },
  { name: 'Koa 2', Koa: Koa2 },
].map(({ name, Koa }): Host => ({
  name,
  parsers: [...(Object.keys(parsers) as Parser[]), 'twice'],
  speaksHttp2: true,
  start({ options, handler, status, parser, isHttp2 }) {
    const app = new Koa()
    app.silent = true
    const router = new Router()
    if (parser === 'elsewhere') {
      router.post(OTHER, parsers[parser], (ctx) => {
        ctx.body = (ctx.request as { readonly body?: unknown }).body
      })
    } else if (parser === 'twice') {
      app.use(serviceSignature(options))
    } else if (parser !== undefined && parser !== 'after') {
      app.use(parsers[parser])
    }
    router.post(WEBHOOKS, serviceSignature(options))
    if (parser === 'after') router.use(parsers[parser])
    router.post(WEBHOOKS, async (ctx) => {
      await handler(ctx.state.webhook!)
      ctx.body = 'handled'
      ctx.status = status?.() ?? 200
    })
    app.use(router.routes())
    return listen(app.callback(), { isHttp2 })
  },
}))
