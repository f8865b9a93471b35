import { serve } from '@hono/node-server'
import { serviceSignature } from '@service-signature/fetch/hono'
import { Hono } from 'hono'

const app = new Hono()
const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  onRejected: (error) => console.warn(error.code, error.message),
})
app.post('/webhooks', webhooks, (c) => {
  console.log('verified:', c.var.webhook.event.type)
  return c.body(null, 204)
})

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
