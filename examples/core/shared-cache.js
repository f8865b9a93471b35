import { createVerifier, fetchSecret } from '@service-signature/core'
import { createClient } from 'redis'

const { PAYMENT_SERVICE_URL: baseUrl, PAYMENT_API_KEY: apiKey, REDIS_URL } = process.env
if (!baseUrl || !apiKey || !REDIS_URL)
  throw new Error('Set PAYMENT_SERVICE_URL, PAYMENT_API_KEY and REDIS_URL')

const redis = createClient({ url: REDIS_URL })
redis.on('error', (error) => console.error(error.message))
await redis.connect()

const secret = fetchSecret({
  baseUrl,
  apiKey,
  cache: {
    get: async (key) => JSON.parse(String(await redis.get(key))),
    set: (key, value) => redis.set(key, JSON.stringify(value)),
  },
})
export const verifier = createVerifier({ secret })
