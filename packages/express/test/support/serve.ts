import { listen } from '@service-signature/contract'
import express5, { type Express, type RequestHandler } from 'express'
import express4 from 'express4'
import { onTestFinished, vi, type Mock } from 'vitest'
import { hmac, now, plain, secret, timestamp, v3Message } from '../../../core/test/support/deliveries.js'

export const versions = [
  ['Express 4', express4],
  ['Express 5', express5],
] as const

export const options = { secret, now }

/** The value of `Service-Signature`. */
export const valid = signedAt(timestamp)
/** What is answered with 401, by the reason. */
export const refused = {
  forged: `t=${timestamp},v3=${'0'.repeat(64)}`,
  'not signed': undefined,
  'too old': signedAt(timestamp - 3600),
  'without v3': `t=${timestamp},v2=${'0'.repeat(64)}`,
}

function signedAt(t: number): string {
  return `t=${t},v3=${hmac(secret, v3Message(plain, t))}`
}

/** Resolves to the origin of a server that runs until the test ends. */
export async function serve(app: Express): Promise<string> {
  const server = await listen(app)
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${server.port}`
}

export async function send(url: string, signature: string | undefined, method = 'POST'): Promise<Response> {
  const headers = signature === undefined ? {} : { 'Service-Signature': signature }
  return fetch(url, { method, headers, ...(method === 'POST' && { body: plain }) })
}

/** A handler that answers with the time at which the delivery was signed. */
export function handlerMock(): Mock<RequestHandler> {
  return vi.fn<RequestHandler>((req, res) => {
    res.json({ timestamp: req.webhook?.timestamp })
  })
}
