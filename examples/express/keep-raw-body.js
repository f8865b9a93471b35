import express from 'express'
import { keepRawBody, serviceSignature } from '@service-signature/express'

const app = express()
app.use(express.json({ verify: keepRawBody }))

app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), (req, res) => {
  console.log('verified:', req.webhook.event.type)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
