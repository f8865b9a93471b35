// One of several processes that claim the same key at the same time.
import { redisReplayStore } from '@service-signature/redis'
import { createClient } from 'redis'

const { COUNT, REDIS_URL } = process.env

const client = await createClient({ url: REDIS_URL }).connect()
const store = redisReplayStore(client)

process.on('message', async ({ key }) => {
  const claims = await Promise.all(Array.from({ length: Number(COUNT) }, () => store.claim(key)))
  process.send({ claimed: claims.map(({ status }) => status) })
})
process.send({ ready: true })
