import express from 'express'
import { serviceSignature } from '@service-signature/express'

const app = express()

const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  onRejected: (error) => console.warn(error.code, error.message),
})
app.post('/webhooks', webhooks, (req, res) => {
  console.log('verified:', req.webhook.event.type)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
