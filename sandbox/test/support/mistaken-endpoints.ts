import { verifySignature } from '@service-signature/core'
import express from 'express'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { ManualClock } from '../../server/index.js'
import { guardedEndpoint } from './guarded-endpoint.js'
import { serveExpress } from './serve-express.js'
import { serve } from './serve.js'

/** The address of an endpoint, and what its handler got. */
export interface Mistaken {
  readonly url: string
  readonly handled: readonly unknown[]
}

/** It verifies what it has parsed and printed again. */
export async function reprintingEndpoint(secret: string): Promise<Mistaken> {
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

/** It is right, behind a proxy that parses each body and prints it again. */
export async function proxiedEndpoint(secret: string): Promise<Mistaken> {
  const { url, handled } = await guardedEndpoint({ secret })
  const server = createServer((request, response) => {
    const forward = async () => {
      const body = JSON.stringify(JSON.parse((await buffer(request)).toString()))
      const answer = await fetch(url, { method: 'POST', headers: passedOn(request), body })
      response.writeHead(answer.status).end(await answer.text())
    }
    void forward()
  })
  return { url: `${await serve(server)}/webhooks`, handled }
}

function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const signature = headers['service-signature']
  return typeof signature === 'string' ? { 'Service-Signature': signature } : {}
}

/** Its machine is an hour ahead. */
export function earlyEndpoint(secret: string): Promise<Mistaken> {
  return guardedEndpoint({ secret, now: () => Date.now() + 3_600_000 })
}

/** Its handler takes 7.2 s of the clock. */
export function slowEndpoint(secret: string, clock: ManualClock): Promise<Mistaken> {
  return guardedEndpoint({ secret, now: clock.now }, () => {
    clock.advance(7200)
  })
}
