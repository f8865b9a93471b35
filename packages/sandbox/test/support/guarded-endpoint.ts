import type { WebhookEvent } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/express'
import express from 'express'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An endpoint of a merchant who verifies, with the Express middleware. It stops with the test. */
export async function guardedEndpoint(options: ServiceSignatureOptions) {
  const handled: WebhookEvent[] = []
  const app = express()
  app.post('/webhooks', serviceSignature(options), (req, res) => {
    handled.push(req.webhook!.event)
    res.sendStatus(204)
  })
  // Express's own handler of errors writes each of them to the log.
  app.use(((error: { status?: number }, _req, res, next) => {
    if (res.headersSent) next(error)
    else res.sendStatus(error.status ?? 500)
  }) satisfies express.ErrorRequestHandler)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, handled }
}
