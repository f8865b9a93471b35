/**
 * Verifies the payment service's webhooks wherever there is a `Request` and a `Response`: Hono, Next,
 * Workers, Deno, Bun.
 *
 * @module fetch
 */
import { WebhookError } from '@service-signature/core'
import {
  createReceiver,
  problemOf,
  type ReceiverOptions,
  type WebhookDispatcher,
} from '@service-signature/core/receiver'
import { checkHandler } from '@service-signature/core/shared/check-handler'
import { responseTo } from './refusal.js'
import { readBody } from './body.js'
import { answerOf, type RequestHandler, type WebhookHandler } from './handler.js'
import { checkRequest } from './mistakes.js'

export type { RequestHandler, WebhookAnswer, WebhookHandler } from './handler.js'

export type ServiceSignatureOptions<HostRequest extends Request = Request> = ReceiverOptions<HostRequest>

const FIX =
  'in Hono, call handle(c.req.raw, c) before c.req.json(); in Next, do not call request.json() before; on every host, the ' +
  'handler finds the bytes as webhook.rawBody'

/**
 * Makes the endpoint. Forged, stale or malformed requests are answered here, and never reach the handler.
 *
 * @example
 * const handle = serviceSignature({ secret: process.env.WEBHOOK_SECRET }, (webhook) => {
 *   console.log(webhook.event.type)
 * })
 * app.post('/webhooks', (c) => handle(c.req.raw, c)) // Hono
 * export const POST = handle // Next
 * Deno.serve(handle)
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function serviceSignature<
  HostRequest extends Request = Request,
  Rest extends readonly unknown[] = readonly unknown[],
>(
  options: ServiceSignatureOptions<HostRequest> & { readonly dispatcher?: undefined },
  handler: WebhookHandler<HostRequest, Rest>,
): RequestHandler<HostRequest, Rest>
/**
 * Makes the whole endpoint: the event is dispatched, and answered with 204.
 *
 * @example
 * export const POST = serviceSignature({ secret: process.env.WEBHOOK_SECRET, dispatcher })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function serviceSignature<HostRequest extends Request = Request>(
  options: ServiceSignatureOptions<HostRequest> & { readonly dispatcher: WebhookDispatcher },
): RequestHandler<HostRequest>
export function serviceSignature(options: ServiceSignatureOptions, handler?: WebhookHandler): RequestHandler {
  const receiver = createReceiver<Request>(options)
  checkHandler(handler, options, '(webhook, request) => Response')

  return async function handle(request, ...rest) {
    checkRequest(request)
    const reception = receiver.open({
      request,
      // Repeated headers are joined with a comma, and the grammar refuses duplicates.
      header: request.headers.get('service-signature'),
      encoding: request.headers.get('content-encoding'),
      signal: () => request.signal,
    })
    const taken = await reception.take(() => readBody(request, receiver.limits, FIX))
    if ('refused' in taken) return refusalFor(taken.refused)
    // An empty string, because hosts know the length of a string.
    if ('status' in taken) return new Response(taken.status === 200 ? '' : null, taken)
    const { delivery } = taken
    let answer: Response | undefined
    try {
      answer = await answerOf(delivery, () => handler!(delivery.webhook, request, ...rest))
    } catch (error) {
      answer = refusalFor(await reception.refuse(error))
    } finally {
      // Before the answer is sent: some runtimes (Workers) stop all pending work then.
      await delivery.finish(answer?.status)
    }
    return answer
  }
}

/** @throws {unknown} any other error than a `WebhookError`: the host reports it, and answers */
function refusalFor(error: unknown): Response {
  if (!WebhookError.is(error)) throw error
  return responseTo(problemOf(error))
}
