import express from 'express'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { subscribe } from 'node:diagnostics_channel'
import { collectDefaultMetrics, Counter, Histogram, register } from 'prom-client'

// #region metrics
const deliveries = new Counter({
  name: 'webhook_deliveries_total',
  help: 'Requests to the webhook endpoint, by what came of them',
  labelNames: ['outcome', 'code', 'event_type'],
})
const duration = new Histogram({
  name: 'webhook_duration_seconds',
  help: 'From the header of a request to its outcome',
  labelNames: ['outcome'],
})
collectDefaultMetrics()

subscribe('service-signature:delivery', (message) => {
  const report = /** @type {import('@service-signature/core/node').DeliveryReport} */ (message)
  const { outcome, code = '', eventType = '' } = report
  deliveries.inc({ outcome, code, event_type: eventType })
  duration.observe({ outcome }, report.durationMs / 1000)
})
// #endregion

const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  dispatcher: createDispatcher().on('transaction.purchase.successful', async ({ payload }) => {
    console.log('paid:', payload.intent.id)
  }),
  // Unlike "otherwise", it lets the channel report these deliveries as unhandled.
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
