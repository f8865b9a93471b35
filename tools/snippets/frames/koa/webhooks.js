import Koa from 'koa'
import { snippet } from '../frame.js'

const app = new Koa()
app.silent = true
app.use(snippet.webhooks)
app.use((ctx) => {
  console.log('verified:', ctx.state.webhook.event.type)
  ctx.status = 204
})
app.listen(3000)
