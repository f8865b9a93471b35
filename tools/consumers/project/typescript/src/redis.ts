import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { createVerifier } from '@service-signature/core'
import { redisReplayStore } from '@service-signature/redis'

const secret = 'test_signature_key'

export const verifiers = () => [
  createVerifier({ secret, replay: redisReplayStore(createClient()) }),
  createVerifier({
    secret,
    replay: redisReplayStore(new Redis({ lazyConnect: true }), { leaseSeconds: 30 }),
  }),
]
