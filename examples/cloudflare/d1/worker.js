import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fetch'
import { d1Inbox } from '@service-signature/cloudflare'

let handle

export default {
  fetch(request, env, ctx) {
    handle ??= endpoint(env)
    return handle(request, env, ctx)
  },

  // Once a day, by the cron trigger of wrangler.jsonc.
  async scheduled(controller, env) {
    await d1Inbox(env.DB).prune()
  },
}

function endpoint(env) {
  const inbox = d1Inbox(env.DB)
  const dispatcher = createDispatcher().on('intent.processed', async (webhook) => {
    const { id, status, amount } = webhook.payload.data.intent
    if (status !== 'PROCESSED') return
    const { outcome } = await inbox.handle(webhook, [
      env.DB.prepare('INSERT INTO payments (intent_id, amount) VALUES (?, ?)').bind(id, amount),
    ])
    console.log(`${outcome}: ${id}`)
  })
  return serviceSignature({
    secret: env.WEBHOOK_SECRET,
    // Before production, add expect: { account: 'acc_...', live: true, transactionMode: 'unknown' }
    dispatcher,
    onUnhandled: ({ event }) => console.warn('not handled:', event.type),
  })
}
