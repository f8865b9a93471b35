import express from 'express'
import { createDispatcher } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { subscribe } from 'node:diagnostics_channel'
import { pino } from 'pino'

const logger = pino()

// One line for each request, whatever its result.
subscribe('service-signature:delivery', (report) => logger.info(report, 'delivery'))

const dispatcher = createDispatcher().on('intent.processed', async ({ payload }) => {
  const { id, status } = payload.data.intent
  if (status === 'PROCESSED') logger.info({ intent: id }, 'paid')
})

// Another line, with the reason, if an event was not handled.
const webhooks = serviceSignature({
  secret: process.env.WEBHOOK_SECRET,
  dispatcher,
  onRejected: ({ code, message, cause }) => logger.warn({ code, cause: cause && String(cause) }, message),
  onUnhandled: ({ event }) => {
    if (event.type !== 'unrecognized') logger.warn({ type: event.type }, 'not handled')
    else logger.warn({ type: event.receivedType, reason: event.reason, issues: event.issues }, 'not handled')
  },
  onFailed: (err, { event }) => logger.error({ err, type: event.type }, 'a handler failed'),
})

const app = express()
app.post('/webhooks', webhooks)
app.listen(process.env.PORT ?? 3000)
