import type { FastifyInstance } from 'fastify'
import { sendAsset, serveFolder } from './serve.js'

/** The browser SDK (S4.5), and the card form that it shows in a frame. */
export function sdkFiles(app: FastifyInstance): void {
  app.get('/sdk.js', { schema: { hide: true } }, (_request, reply) => {
    // A module of another origin is loaded only where it says so.
    void reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    return sendAsset(reply, 'sdk/sdk.js')
  })
  serveFolder(app, 'sdk', '/vault/assets/sdk')
  app.get('/vault/card-form/', { schema: { hide: true } }, (_request, reply) =>
    sendAsset(reply, 'sdk/card-form.html', { isEmbeddable: true }),
  )
}
