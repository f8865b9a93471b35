import Router from '@koa/router'
import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import { serviceSignature } from '@service-signature/koa'

const webhooks = new Router()
webhooks.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), (ctx) => {
  console.log('verified:', ctx.state.webhook.event.type)
  ctx.status = 204
})
const others = new Router()
others.post('/orders', (ctx) => {
  ctx.body = { ordered: ctx.request.body }
})

const app = new Koa()
app.use(webhooks.routes())
app.use(bodyParser())
app.use(others.routes())
app.listen(process.env.PORT ?? 3000)
