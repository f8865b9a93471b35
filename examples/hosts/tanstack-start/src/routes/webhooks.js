import { serviceSignature } from '@service-signature/fetch'
import { createFileRoute } from '@tanstack/react-router'

const handle = serviceSignature({ secret: () => process.env.WEBHOOK_SECRET }, async (webhook) => {
  console.log('verified:', webhook.event.type)
})

// With POST alone, other methods would get a page.
export const Route = createFileRoute('/webhooks')({
  server: { handlers: { ANY: ({ request }) => handle(request) } },
})
