import Koa from 'koa'
import { serviceSignature } from '@service-signature/koa'

export const app = new Koa()

app.use(serviceSignature({ secret: 'test_signature_key' }))
app.use((ctx) => {
  console.log(ctx.state.webhook?.event.type)
  ctx.status = 204
})
