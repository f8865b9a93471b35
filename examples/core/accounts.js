import { createVerifier, fetchSecret } from '@service-signature/core'

const baseUrl = process.env.PAYMENT_SERVICE_URL
const sources = new Map([
  ['/webhooks/berlin', fetchSecret({ baseUrl, apiKey: process.env.BERLIN_API_KEY })],
  ['/webhooks/madrid', fetchSecret({ baseUrl, apiKey: process.env.MADRID_API_KEY })],
])

/** @param {{ request?: any }} context the third argument of verify */
const secret = ({ request }) => sources.get(request.url)

export const verifier = createVerifier({ secret })
