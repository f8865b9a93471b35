import express from 'express'
import { serviceSignature } from '@service-signature/express'

const app = express()

app.post('/webhooks', serviceSignature({ secret: process.env['WEBHOOK_SECRET'] ?? '' }), (req, res) => {
  const { event } = req.webhook!
  if (event.shape === 'transaction') console.log('verified:', event.payload.intent.id)
  res.sendStatus(204)
})

app.listen(process.env['PORT'] ?? 3000)
