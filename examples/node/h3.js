import { createServer } from 'node:http'
import { createApp, createRouter, fromNodeMiddleware, toNodeListener } from 'h3'
import { serviceSignature } from '@service-signature/node'

const handle = serviceSignature({ secret: process.env.WEBHOOK_SECRET }, async (webhook) => {
  console.log('verified:', webhook.event.type)
})

const router = createRouter().post('/webhooks', fromNodeMiddleware(handle))
createServer(toNodeListener(createApp().use(router))).listen(process.env.PORT ?? 3000)
