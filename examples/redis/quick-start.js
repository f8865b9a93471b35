import express from 'express'
import { createClient } from 'redis'
import { serviceSignature } from '@service-signature/express'
import { redisReplayStore } from '@service-signature/redis'
import { replaceWhenSilent } from './replace-silent.js'

const client = createClient({
  url: process.env.REDIS_URL,
  disableOfflineQueue: true,
  pingInterval: 1000,
  socket: { socketTimeout: 3000, reconnectStrategy: (retries) => Math.min(retries * 100, 1000) },
})
client.on('error', console.error)
replaceWhenSilent(client)
await client.connect()

const app = express()
const replay = redisReplayStore(client)
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET, replay }), (req, res) => {
  console.log('for the first time:', req.webhook.event.type)
  res.sendStatus(204)
})
app.listen(process.env.PORT ?? 3000)
