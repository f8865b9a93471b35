import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fetch'
import { durableObjectReplayStore } from '@service-signature/cloudflare'

export { ReplayObject } from '@service-signature/cloudflare'

let handle

export default {
  fetch(request, env, ctx) {
    handle ??= endpoint(env)
    return handle(request, env, ctx)
  },
}

function endpoint(env) {
  const dispatcher = createDispatcher().on('transaction.purchase.successful', async ({ payload }) => {
    const response = await fetch(env.SHOP_URL, { method: 'POST', body: JSON.stringify(payload.intent) })
    if (!response.ok) throw new Error(`The shop answered ${response.status}`)
  })
  const replay = durableObjectReplayStore(env.REPLAY)
  return serviceSignature({
    secret: env.WEBHOOK_SECRET,
    dispatcher,
    replay,
    onUnhandled: ({ event }) => console.warn('not handled:', event.type),
  })
}
