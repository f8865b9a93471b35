import express from 'express'
import { serviceSignature } from '@service-signature/express'

// #region rotation
const { WEBHOOK_SECRET, WEBHOOK_SECRET_PREVIOUS } = process.env

const webhooks = serviceSignature({
  secret: WEBHOOK_SECRET_PREVIOUS ? [WEBHOOK_SECRET, WEBHOOK_SECRET_PREVIOUS] : WEBHOOK_SECRET,
  onVerified({ secretIndex }) {
    if (secretIndex === 1) console.warn('signed with the previous secret')
  },
})
// #endregion

const app = express()

app.post('/webhooks', webhooks, (req, res) => {
  console.log('verified:', req.webhook.event.type)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
