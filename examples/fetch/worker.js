import { serviceSignature } from '@service-signature/fetch'

let handle

export default {
  fetch(request, env, ctx) {
    handle ??= serviceSignature({ secret: env.WEBHOOK_SECRET }, receive)
    return handle(request, env, ctx)
  },
}

async function receive(webhook) {
  console.log('verified:', webhook.event.type)
}
