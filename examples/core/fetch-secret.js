import { createVerifier, fetchSecret } from '@service-signature/core'

const { PAYMENT_SERVICE_URL: baseUrl, PAYMENT_API_KEY: apiKey } = process.env
if (!baseUrl || !apiKey) throw new Error('Set PAYMENT_SERVICE_URL and PAYMENT_API_KEY')

const secret = fetchSecret({ baseUrl, apiKey })
await secret.prime() // optional: a wrong API key shows now, and not with the first delivery

export const verifier = createVerifier({ secret })
