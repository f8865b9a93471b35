import { serve } from '@hono/node-server'
import { serviceSignature } from '@service-signature/fetch/hono'
import { Hono } from 'hono'

const app = new Hono()

app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), (c) => {
  console.log('verified:', c.var.webhook.event.type)
  return c.body(null, 204)
})

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
