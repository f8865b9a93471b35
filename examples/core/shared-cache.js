import { createVerifier, fetchSecret } from '@service-signature/core'
import { createClient } from 'redis'

const redis = createClient({ url: process.env.REDIS_URL })
redis.on('error', (error) => console.error(error.message))
await redis.connect()

// #region cache
const secret = fetchSecret({
  baseUrl: process.env.PAYMENT_SERVICE_URL,
  apiKey: process.env.PAYMENT_API_KEY,
  cache: {
    get: async (key) => JSON.parse(String(await redis.get(key))),
    set: (key, value) => redis.set(key, JSON.stringify(value)),
  },
})
// #endregion
export const verifier = createVerifier({ secret })
