import { serviceSignature } from '@service-signature/fetch'
import { Elysia } from 'elysia'

const handle = serviceSignature({ secret: process.env.WEBHOOK_SECRET }, async (webhook) => {
  console.log('verified:', webhook.event.type)
})

new Elysia()
  // Without "none", a handler that uses the body would make Elysia parse it first.
  .post('/webhooks', ({ request }) => handle(request), { parse: 'none' })
  .listen(process.env.PORT ?? 3000)
