import { listen } from '@service-signature/contract'
import express5, { type Express, type RequestHandler } from 'express'
import express4 from 'express4'
import { onTestFinished, vi, type Mock } from 'vitest'

export { options, refused, send, valid } from '../../../core/test/support/requests.js'

export const versions = [
  ['Express 4', express4],
  ['Express 5', express5],
] as const

/** Resolves to the origin of a server that runs until the test ends. */
export async function serve(app: Express): Promise<string> {
  const server = await listen(app)
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${server.port}`
}

/** A handler that answers with the time at which the delivery was signed. */
export function handlerMock(): Mock<RequestHandler> {
  return vi.fn<RequestHandler>((req, res) => {
    res.json({ timestamp: req.webhook?.timestamp })
  })
}
