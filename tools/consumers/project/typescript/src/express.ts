import express from 'express'
import { serviceSignature } from '@service-signature/express'

export const app = express()

app.post('/webhooks', serviceSignature({ secret: 'test_signature_key' }), (req, res) => {
  // @ts-expect-error: only routes after the middleware have it
  console.log(req.webhook.event.type)
  console.log(req.webhook?.event.type)
  res.sendStatus(204)
})
