import { verifySignature, type WebhookEvent } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/express'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { createServer } from 'node:http'
import { serve } from './serve.js'

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

/** An endpoint that verifies what it has parsed and printed again: its address, and what its handler got. */
export async function reprintingEndpoint(
  secret: string,
): Promise<{ readonly url: string; readonly handled: readonly unknown[] }> {
  const handled: unknown[] = []
  const app = express()
  app.post('/webhooks', express.json(), async (req, res) => {
    try {
      await verifySignature(JSON.stringify(req.body), req.headers, { secret })
    } catch {
      res.sendStatus(401)
      return
    }
    handled.push(req.body)
    res.sendStatus(204)
  })
  return { url: `${await serveExpress(app)}/webhooks`, handled }
}

/** Serves an application until the test ends. Returns its origin. */
async function serveExpress(app: Express): Promise<string> {
  // Express's own handler of errors writes each of them to the log.
  app.use(((error: { status?: number }, _req, res, next) => {
    if (res.headersSent) next(error)
    else res.sendStatus(error.status ?? 500)
  }) satisfies ErrorRequestHandler)
  return serve(createServer(app))
}
