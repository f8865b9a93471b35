/**
 * Verifies the payment service's webhooks in Express 4 and 5.
 *
 * @module express
 */
import type { VerifiedWebhook } from '@service-signature/core'
import { createNodeReceiver, type ReceiverOptions } from '@service-signature/core/node'
import type { Request } from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express's types are extended in this namespace
  namespace Express {
    interface Request {
      /** The delivery, after `serviceSignature()`. */
      webhook?: VerifiedWebhook
    }
  }
}

/** The part of an Express request that the middleware needs. */
export type WebhookRequest = IncomingMessage & Express.Request

export type ServiceSignatureOptions = ReceiverOptions<Request>

export type ServiceSignatureMiddleware = (
  req: WebhookRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void

const PARSED =
  'in Express, put app.post(path, serviceSignature(options), handler) above app.use(express.json()), or keep the ' +
  'bytes with app.use(express.json({ verify: keepRawBody })), from this package'
const MOUNTED_TWICE =
  'in Express, serviceSignature() is mounted twice for this route, perhaps by app.use() and by app.post(). Keep only ' +
  'app.post(path, serviceSignature(options), handler)'

/**
 * Middleware that verifies webhook signatures. The delivery is `req.webhook`; with a `dispatcher`, it is
 * dispatched and answered here.
 *
 * @example
 * app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), (req, res) => {
 *   console.log(req.webhook?.event.type)
 *   res.sendStatus(204)
 * })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function serviceSignature(options: ServiceSignatureOptions): ServiceSignatureMiddleware {
  const receiver = createNodeReceiver(options, ({ webhook }) =>
    webhook === undefined ? PARSED : MOUNTED_TWICE,
  )

  async function verify(...[req, res, next]: Parameters<ServiceSignatureMiddleware>): Promise<void> {
    const reception = receiver.open({ request: req as Request, req, res })
    const taken = await reception.take(
      (read) => read(req),
      (webhook) => {
        // A parser after this middleware would find the stream read, and end the request without the handler.
        Object.assign(req, { webhook, _body: true })
      },
    )
    if ('refused' in taken) {
      next(taken.refused)
    } else if ('status' in taken) {
      res.statusCode = taken.status
      res.end()
    } else {
      taken.delivery.run(() => {
        next()
      })
    }
  }

  // The types of Express 4 expect nothing in return, and lint rules about promises look at that.
  return function serviceSignature(req, res, next) {
    void verify(req, res, next)
  }
}

/**
 * Keeps the bytes of a body that is parsed as JSON before routing.
 *
 * @example
 * app.use(express.json({ verify: keepRawBody }))
 */
export function keepRawBody(req: IncomingMessage, _res: ServerResponse, bytes: Buffer): void {
  Object.assign(req, { rawBody: bytes })
}
