import { createVerifier, fetchSecret } from '@service-signature/core'

const secret = fetchSecret({ baseUrl: process.env.PAYMENT_SERVICE_URL, apiKey: process.env.PAYMENT_API_KEY })
await secret.prime() // optional: a wrong API key shows now, and not with the first delivery

export const verifier = createVerifier({ secret })
