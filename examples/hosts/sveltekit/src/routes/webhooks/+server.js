import { serviceSignature } from '@service-signature/fetch'

const handle = serviceSignature({ secret: () => process.env.WEBHOOK_SECRET }, async (webhook) => {
  console.log('verified:', webhook.event.type)
})

export const POST = ({ request }) => handle(request)
