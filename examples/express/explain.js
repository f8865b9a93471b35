import express from 'express'
import { formatReport } from '@service-signature/core/explain'
import { serviceSignature } from '@service-signature/express'

const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  async onRejected(error, { explain }) {
    if (error.code === 'ERR_SIGNATURE_MISMATCH') console.warn(formatReport(await explain()))
    else console.warn(error.code, error.message)
  },
})

const app = express()

app.post('/webhooks', webhooks, (req, res) => {
  console.log('verified:', req.webhook.event.type)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
