import { serviceSignature } from '@service-signature/fetch'

export const POST = serviceSignature(
  { secret: () => process.env.WEBHOOK_SECRET },
  async (webhook, request) => {
    console.log('verified:', webhook.event.type, 'at', new URL(request.url).pathname)
  },
)
