import express from 'express'
import { createClient } from 'redis'
import { serviceSignature } from '@service-signature/express'
import { redisReplayStore } from '@service-signature/redis'

const client = createClient({ url: process.env.REDIS_URL, disableOfflineQueue: true })
client.on('error', (error) => console.error(error.message))
await client.connect()

const app = express()
const replay = redisReplayStore(client)
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET, replay }), (req, res) => {
  console.log('for the first time:', req.webhook.event.type)
  res.sendStatus(204)
})
app.listen(process.env.PORT ?? 3000)
