import express from 'express'
import { serviceSignature } from '@service-signature/express'

const secrets = new Map([
  ['berlin', process.env.BERLIN_SECRET],
  ['madrid', process.env.MADRID_SECRET],
])
for (const [tenant, secret] of secrets) {
  if (!secret) throw new Error(`The secret of ${tenant} is missing`)
}

const webhooks = serviceSignature({
  // `request` is that of Express. An unknown tenant has no secret, and is answered like a forgery.
  secret: ({ request }) => secrets.get(String(request.params.tenant)),
  onRejected: (error) => console.warn(error.code, error.message),
})

const app = express()

app.post('/webhooks/:tenant', webhooks, (req, res) => {
  console.log('verified:', req.params.tenant, req.webhook.event.type)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
