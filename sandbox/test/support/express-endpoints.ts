import { verifySignature, type WebhookEvent } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/express'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { createServer } from 'node:http'
import { serve } from './serve.js'

/** Serves handlers with Express until the test ends. Returns their address. */
async function serveHandlers(...handlers: readonly RequestHandler[]): Promise<string> {
  const app = express()
  app.post('/webhooks', ...handlers)
  // Express's own handler of errors writes each of them to the log.
  app.use(((error: { status?: number }, _req, res, next) => {
    if (res.headersSent) next(error)
    else res.sendStatus(error.status ?? 500)
  }) satisfies ErrorRequestHandler)
  return `${await serve(createServer(app))}/webhooks`
}

/** An endpoint of a merchant who verifies, with the Express middleware. It stops with the test. */
export async function guardedEndpoint(options: ServiceSignatureOptions, work?: () => void) {
  const handled: WebhookEvent[] = []
  const setDate: RequestHandler = (_req, res, next) => {
    res.setHeader('Date', new Date((options.now ?? Date.now)()).toUTCString())
    next()
  }
  const url = await serveHandlers(setDate, serviceSignature(options), (req, res) => {
    work?.()
    handled.push(req.webhook!.event)
    res.sendStatus(204)
  })
  return { url, handled }
}

/** An endpoint that verifies what it has parsed and printed again: its address, and what its handler got. */
export async function reprintingEndpoint(secret: string) {
  const handled: unknown[] = []
  const url = await serveHandlers(express.json(), async (req, res) => {
    try {
      await verifySignature(JSON.stringify(req.body), req.headers, { secret })
    } catch {
      res.sendStatus(401)
      return
    }
    handled.push(req.body)
    res.sendStatus(204)
  })
  return { url, handled }
}
