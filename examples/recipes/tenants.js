import express from 'express'
import { serviceSignature } from '@service-signature/express'

const tenants = new Map([
  ['berlin', { secret: process.env.BERLIN_SECRET, account: process.env.BERLIN_ACCOUNT }],
  ['madrid', { secret: process.env.MADRID_SECRET, account: process.env.MADRID_ACCOUNT }],
])
for (const [name, { secret, account }] of tenants) {
  if (!secret || !account) throw new Error(`The secret or the account of ${name} is missing`)
}

// #region tenants
/** `request` is that of Express. */
const tenantOf = (request) => tenants.get(String(request.params.tenant))

const webhooks = serviceSignature({
  // An unknown tenant has no secret, and is answered like a forgery.
  secret: ({ request }) => tenantOf(request)?.secret,
  // Tenants may be accounts of one organization, which share its secret.
  expect: ({ request }) => ({ account: tenantOf(request)?.account }),
  onRejected: (error) => console.warn(error.code, error.message),
})
// #endregion

const app = express()

app.post('/webhooks/:tenant', webhooks, (req, res) => {
  console.log('verified:', req.params.tenant, req.webhook.event.type)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
