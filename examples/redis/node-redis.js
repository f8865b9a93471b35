import express from 'express'
import { createClient } from 'redis'
import { serviceSignature } from '@service-signature/express'
import { redisReplayStore } from '@service-signature/redis'
import { replaceWhenSilent } from './replace-silent.js'

const { PORT = 3000, REDIS_URL, WEBHOOK_SECRET } = process.env
if (!REDIS_URL || !WEBHOOK_SECRET) throw new Error('Set REDIS_URL and WEBHOOK_SECRET')

const client = createClient({
  url: REDIS_URL,
  disableOfflineQueue: true,
  pingInterval: 1000,
  socket: { socketTimeout: 3000, reconnectStrategy: (retries) => Math.min(retries * 100, 1000) },
})
client.on('error', console.error)
replaceWhenSilent(client)
await client.connect()

const replay = redisReplayStore(client)

const app = express()
app.post('/webhooks', serviceSignature({ secret: WEBHOOK_SECRET, replay }), (req, res) => {
  console.log('for the first time:', req.webhook.event.type)
  res.sendStatus(204)
})
app.listen(PORT)
