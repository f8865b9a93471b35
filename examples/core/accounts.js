import { createVerifier, fetchSecret } from '@service-signature/core'

const { PAYMENT_SERVICE_URL: baseUrl, BERLIN_API_KEY, MADRID_API_KEY } = process.env
if (!baseUrl || !BERLIN_API_KEY || !MADRID_API_KEY)
  throw new Error('Set PAYMENT_SERVICE_URL, BERLIN_API_KEY and MADRID_API_KEY')

const sources = new Map([
  ['/webhooks/berlin', fetchSecret({ baseUrl, apiKey: BERLIN_API_KEY })],
  ['/webhooks/madrid', fetchSecret({ baseUrl, apiKey: MADRID_API_KEY })],
])

/** @param {{ request?: any }} context the third argument of verify */
const secret = ({ request }) => sources.get(request.url)

export const verifier = createVerifier({ secret })
