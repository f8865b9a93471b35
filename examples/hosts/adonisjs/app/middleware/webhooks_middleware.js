import { serviceSignature } from '@service-signature/node'

const handle = serviceSignature({ secret: process.env.WEBHOOK_SECRET }, async (webhook) => {
  console.log('verified:', webhook.event.type)
})

export default class WebhooksMiddleware {
  handle({ request, response }, next) {
    if (request.method() !== 'POST' || request.url() !== '/webhooks') return next()
    return handle(request.request, response.response)
  }
}
