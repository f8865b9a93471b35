import express from 'express'
import { createRefusalExplainer, formatReport } from '@service-signature/explain'
import { serviceSignature } from '@service-signature/express'

const secret = process.env.WEBHOOK_SECRET
// #region explain
const refusals = createRefusalExplainer()

const webhooks = serviceSignature({
  secret,
  async onRejected(error, context) {
    const report = await refusals.explain(error, context, { secret })
    console.warn(error.code, formatReport(report))
  },
})
// #endregion

const app = express()

app.post('/webhooks', webhooks, (req, res) => {
  console.log('verified:', req.webhook.event.type)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
