import express from 'express'
import { serviceSignature } from '@service-signature/express'

const { BERLIN_SECRET, BERLIN_ACCOUNT, MADRID_SECRET, MADRID_ACCOUNT } = process.env
if (!BERLIN_SECRET || !BERLIN_ACCOUNT || !MADRID_SECRET || !MADRID_ACCOUNT)
  throw new Error('Set BERLIN_SECRET, BERLIN_ACCOUNT, MADRID_SECRET and MADRID_ACCOUNT')

const tenants = new Map([
  ['berlin', { secret: BERLIN_SECRET, account: BERLIN_ACCOUNT }],
  ['madrid', { secret: MADRID_SECRET, account: MADRID_ACCOUNT }],
])

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
