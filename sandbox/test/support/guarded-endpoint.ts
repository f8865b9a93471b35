import type { WebhookEvent } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/express'
import express from 'express'
import { serveExpress } from './serve-express.js'

/** An endpoint of a merchant who verifies, with the Express middleware. It stops with the test. */
export async function guardedEndpoint(options: ServiceSignatureOptions, work?: () => void) {
  const handled: WebhookEvent[] = []
  const app = express()
  app.use((_req, res, next) => {
    res.setHeader('Date', new Date((options.now ?? Date.now)()).toUTCString())
    next()
  })
  app.post('/webhooks', serviceSignature(options), (req, res) => {
    work?.()
    handled.push(req.webhook!.event)
    res.sendStatus(204)
  })
  return { url: `${await serveExpress(app)}/webhooks`, handled }
}
