import express from 'express'
import { Redis } from 'ioredis'
import { serviceSignature } from '@service-signature/express'
import { redisReplayStore } from '@service-signature/redis'

// #region client
const client = new Redis(process.env.REDIS_URL, {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  socketTimeout: 3000,
})
client.on('error', console.error)
await new Promise((resolve) => client.once('ready', resolve))

const replay = redisReplayStore(client)
// #endregion

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET, replay }), (req, res) => {
  console.log('for the first time:', req.webhook.event.type)
  res.sendStatus(204)
})
app.listen(process.env.PORT ?? 3000)
