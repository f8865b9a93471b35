// The hosts whose own declarations are wrong: @hapi/hapi imports from joi without depending on it, and @types/koa expects
// of content-disposition what its newest version does not have.
import { server as createServer } from '@hapi/hapi'
import Koa from 'koa'
import { serviceSignature as forHapi, type WebhookRefs } from '@service-signature/hapi'
import { serviceSignature as forKoa } from '@service-signature/koa'

const options = { secret: 'test_signature_key' }

export const app = new Koa()
app.use(forKoa(options))
app.use((ctx) => {
  ctx.body = ctx.state.webhook?.event.type
})

export async function start(): Promise<void> {
  const server = createServer({ port: 0 })
  await server.register({ plugin: forHapi, options })
  server.route<WebhookRefs>({
    method: 'POST',
    path: '/webhooks',
    options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
    handler: (request, h) => h.response(request.auth.artifacts.event.type),
  })
}
