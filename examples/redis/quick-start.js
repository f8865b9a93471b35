import express from 'express'
import { Redis } from 'ioredis'
import { serviceSignature } from '@service-signature/express'
import { redisReplayStore } from '@service-signature/redis'

const { PORT = 3000, REDIS_URL, WEBHOOK_SECRET } = process.env
if (!REDIS_URL || !WEBHOOK_SECRET) throw new Error('Set REDIS_URL and WEBHOOK_SECRET')

const client = new Redis(REDIS_URL, {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  socketTimeout: 3000,
})
client.on('error', console.error)
await new Promise((resolve) => client.once('ready', resolve))

const app = express()
const replay = redisReplayStore(client)
app.post('/webhooks', serviceSignature({ secret: WEBHOOK_SECRET, replay }), (req, res) => {
  console.log('for the first time:', req.webhook.event.type)
  res.sendStatus(204)
})
app.listen(PORT)
