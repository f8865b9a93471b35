import { createVerifier, memoryReplayStore } from '@service-signature/core'

const verifier = createVerifier({ secret: process.env.WEBHOOK_SECRET, replay: memoryReplayStore() })

export async function receive(rawBody, header) {
  const { status, outcome } = await verifier.receive(rawBody, header, async ({ event }) => {
    console.log('handling', event.type)
  })
  return { status, outcome } // 200, and 'handled' or 'duplicate'
}
