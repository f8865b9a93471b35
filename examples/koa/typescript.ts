import Router from '@koa/router'
import Koa from 'koa'
import { serviceSignature } from '@service-signature/koa'

const router = new Router()

router.post('/webhooks', serviceSignature({ secret: process.env['WEBHOOK_SECRET'] ?? '' }), (ctx) => {
  const { event } = ctx.state.webhook!
  if (event.shape === 'transaction') console.log('verified:', event.payload.intent.id)
  ctx.status = 204
})

const app = new Koa()
app.use(router.routes())
app.listen(process.env['PORT'] ?? 3000)
