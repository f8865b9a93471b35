/**
 * Verifies the payment service's webhooks on plain `node:http`, and on every host that passes on its `req` and `res`:
 * Next API routes, h3, Connect, Polka.
 *
 * @module node
 */
import { WebhookError, type VerifiedWebhook } from '@service-signature/core'
import { createNodeReceiver, type ReceiverOptions } from '@service-signature/core/node'
import { problemOf, type WebhookDispatcher } from '@service-signature/core/receiver'
import { checkHandler } from '@service-signature/core/shared/check-handler'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { answerFailure, answerProblem } from './answer.js'

/** A request of `node:http` or `node:http2`, or the host's own, which extends it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest
export type NodeResponse = ServerResponse | Http2ServerResponse

export type ServiceSignatureOptions<Req extends NodeRequest = IncomingMessage> = ReceiverOptions<Req>

/**
 * Called with each new and valid delivery. It answers with `res`; if it returns, or its promise resolves, before it has
 * begun to answer, the answer is 204. If it fails, the error is printed, and the answer is 500, or 409 or 503 for
 * such a `WebhookError`.
 */
export type WebhookHandler<
  Req extends NodeRequest = IncomingMessage,
  Res extends NodeResponse = ServerResponse,
> = (webhook: VerifiedWebhook, req: Req, res: Res) => unknown

/**
 * The endpoint, which the host calls with each request. It returns a promise, which is never rejected, for hosts that wait
 * until the request is handled (Next, h3). Its type is `unknown`, as in the types of Express: lint rules do not let
 * `createServer` have a function that returns a promise, and `await` on it must be allowed.
 */
export type WebhookListener<
  Req extends NodeRequest = IncomingMessage,
  Res extends NodeResponse = ServerResponse,
> = (req: Req, res: Res) => unknown

const PARSED_BY_NEXT =
  'in Next, add export const config = { api: { bodyParser: false } } to the file of the API route'
const PARSED =
  'in Connect, Polka and h3, put serviceSignature(options, handler) before the body parser, or before what calls ' +
  'readBody(event); with node:http, pass it req before anything reads from req'
const MOUNTED_TWICE =
  'serviceSignature() is mounted twice for this request: the handler of one passes req to another one. Keep one of them'

/** On a request that was verified, to recognize a second `serviceSignature()`. */
const VERIFIED = Symbol('service-signature:verified')
type MarkedRequest = IncomingMessage & { [VERIFIED]?: true }

/**
 * Makes the endpoint. Only valid deliveries reach the handler; all other requests are answered here.
 *
 * @example
 * const handle = serviceSignature({ secret: process.env.WEBHOOK_SECRET }, async (webhook, req, res) => {
 *   console.log(webhook.event.type)
 * })
 * createServer(handle).listen(3000)
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function serviceSignature<
  Req extends NodeRequest = IncomingMessage,
  Res extends NodeResponse = ServerResponse,
>(
  options: ServiceSignatureOptions<Req> & { readonly dispatcher?: undefined },
  handler: WebhookHandler<Req, Res>,
): WebhookListener<Req, Res>
/**
 * Makes the whole endpoint: the event is dispatched, and answered with 204.
 *
 * @example
 * createServer(serviceSignature({ secret: process.env.WEBHOOK_SECRET, dispatcher })).listen(3000)
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function serviceSignature<
  Req extends NodeRequest = IncomingMessage,
  Res extends NodeResponse = ServerResponse,
>(
  options: ServiceSignatureOptions<Req> & { readonly dispatcher: WebhookDispatcher },
): WebhookListener<Req, Res>
// The compatibility classes of node:http2 have the members of node:http that are used here.
export function serviceSignature(
  options: ServiceSignatureOptions,
  handler?: WebhookHandler,
): WebhookListener {
  const receiver = createNodeReceiver(options, fixFor)
  checkHandler(handler, options, '(webhook, req, res) => ...')

  return async function serviceSignature(req, res) {
    const reception = receiver.open({ request: req, req, res })
    const taken = await reception.take(
      (read) => read(req),
      () => {
        ;(req as MarkedRequest)[VERIFIED] = true
      },
    )
    if ('refused' in taken) {
      const { refused } = taken
      if (WebhookError.is(refused)) answerProblem(res, problemOf(refused))
      else answerFailure(req, res, refused)
      return
    }
    if ('status' in taken) {
      res.statusCode = taken.status
      res.end()
      return
    }
    const { delivery } = taken
    try {
      await delivery.run(() => handler!(delivery.webhook, req, res))
    } catch (error) {
      // A status that was sent before the failure is not the outcome.
      if (res.headersSent) await delivery.finish(500)
      const failure = await reception.refuse(error)
      answerFailure(req, res, error, WebhookError.is(failure) ? problemOf(failure) : undefined)
      return
    }
    if (res.headersSent) return
    // The replay store gets it before the sender does: some hosts freeze the process once the answer is sent.
    await delivery.finish(204)
    res.statusCode = 204
    res.end()
  }
}

/** What to do if the body of a request was read before. */
function fixFor(req: IncomingMessage): string {
  if (VERIFIED in req) return MOUNTED_TWICE
  // Next adds it to the requests of API routes.
  return 'previewData' in req ? PARSED_BY_NEXT : PARSED
}
