import { verifySignature } from '@service-signature/core'
import express from 'express'
import { serveExpress } from './serve-express.js'

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
