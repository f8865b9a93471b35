import Router from '@koa/router'
import Koa from 'koa'
import { serviceSignature } from '@service-signature/koa'

const router = new Router()
const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  onRejected: (error) => console.warn(error.code, error.message),
})
router.post('/webhooks', webhooks, (ctx) => {
  console.log('verified:', ctx.state.webhook.event.type)
  ctx.status = 204
})

const app = new Koa()
app.use(router.routes())
app.listen(process.env.PORT ?? 3000)
