import { serviceSignature } from '@service-signature/fetch/hono'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'

/** @typedef {typeof import('@service-signature/fetch').serviceSignature} Form */

/**
 * @param {object} options
 * @param {import('@service-signature/fetch').WebhookHandler} [handler]
 * @returns {(request: Request) => Promise<Response>}
 */
function inHono(options, handler) {
  const app = new Hono()
  app.all(
    '*',
    serviceSignature(options),
    async (c) => (await handler?.(c.var.webhook, c.req.raw)) ?? c.body(null, 204),
  )
  // Errors of the handler go to the host of the case.
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse()
    throw error
  })
  return async (request) => app.fetch(request)
}

/** The middleware for Hono, called as the function of the fetch adapter is. */
export const honoMiddleware = /** @type {Form} */ (inHono)
