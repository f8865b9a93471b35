import express from 'express'
import { fetchSecret } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'

const secret = fetchSecret({ baseUrl: process.env.PAYMENT_SERVICE_URL, apiKey: process.env.PAYMENT_API_KEY })

const app = express()

app.post('/webhooks', serviceSignature({ secret }), (req, res) => {
  console.log('verified:', req.webhook.event.type)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
