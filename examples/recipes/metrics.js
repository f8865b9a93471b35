import express from 'express'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
// #region metrics
import { instrument } from '@service-signature/core/telemetry'
import { collectDefaultMetrics, register } from 'prom-client'

collectDefaultMetrics()
instrument({ registry: register })
// #endregion

const webhooks = serviceSignature({
  name: 'payments',
  secret: process.env.WEBHOOK_SECRET,
  dispatcher: createDispatcher().on('intent.processed', async ({ payload }) => {
    const { id, status } = payload.data.intent
    if (status === 'PROCESSED') console.log('paid:', id)
  }),
  // Unlike "otherwise", it lets the metrics report these deliveries as unhandled.
  onUnhandled: ({ event }) => {
    console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
  },
})

const app = express()

app.post('/webhooks', webhooks)

// Only for Prometheus: the public proxy must not forward this path.
app.get('/metrics', async (_req, res) => {
  res.type(register.contentType).send(await register.metrics())
})

app.listen(process.env.PORT ?? 3000)
