// A merchant's endpoint in a process of its own. It reports each step to the test, which controls its handler.
import { serviceSignature } from '@service-signature/express'
import { redisReplayStore } from '@service-signature/redis'
import express from 'express'
import { Redis } from 'ioredis'
import { once } from 'node:events'
import { createClient } from 'redis'

const { CLIENT, HANDLER, REDIS_URL, SECRET } = process.env

const connect = {
  async redis() {
    const client = createClient({ url: REDIS_URL, disableOfflineQueue: true })
    return client.on('error', () => undefined).connect()
  },
  async ioredis() {
    const client = new Redis(REDIS_URL, { maxRetriesPerRequest: 1, enableOfflineQueue: false })
    client.on('error', () => undefined)
    await once(client, 'ready')
    return client
  },
}

const store = redisReplayStore(await connect[CLIENT]())
const replay = {
  ...store,
  async commit(key, token) {
    await store.commit(key, token)
    process.send({ committed: token })
  },
  async release(key, token) {
    await store.release(key, token)
    process.send({ released: token })
  },
}

const app = express()
app.post('/webhooks', serviceSignature({ secret: SECRET, replay }), async (req, res) => {
  const { id } = req.webhook.event.payload
  process.send({ began: id })
  if (HANDLER === 'waits') {
    const [{ answer }] = await once(process, 'message')
    res.sendStatus(answer)
    return
  }
  process.send({ handled: id })
  res.sendStatus(204)
})

const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', ({ ping }) => ping && process.send({ pong: true }))
