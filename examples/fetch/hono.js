import { serve } from '@hono/node-server'
import { serviceSignature } from '@service-signature/fetch'
import { Hono } from 'hono'

const handle = serviceSignature({ secret: process.env.WEBHOOK_SECRET }, (webhook) => {
  console.log('verified:', webhook.event.type)
})

const app = new Hono()
app.post('/webhooks', (c) => handle(c.req.raw, c))
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
