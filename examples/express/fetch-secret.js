import express from 'express'
import { fetchSecret } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'

const { PAYMENT_SERVICE_URL: baseUrl, PAYMENT_API_KEY: apiKey } = process.env
if (!baseUrl || !apiKey) throw new Error('Set PAYMENT_SERVICE_URL and PAYMENT_API_KEY')

const secret = fetchSecret({ baseUrl, apiKey })

const app = express()

app.post('/webhooks', serviceSignature({ secret }), (req, res) => {
  console.log('verified:', req.webhook.event.type)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
