/**
 * Verifies the payment service's webhooks wherever there is a `Request` and a `Response`: Hono, Next, Workers, Deno, Bun.
 *
 * @module fetch
 */
import { WebhookError, type Dispatcher, type VerifiedWebhook } from '@service-signature/core'
import {
  createReceiver,
  problemOf,
  type Explain,
  type ReceiverOptions,
} from '@service-signature/core/receiver'
import { readBody } from './body.js'
import { answerInTurn, type RequestHandler, type Tell, type WebhookHandler } from './handler.js'
import { checkMistakes, checkRequest } from './mistakes.js'

export type { RequestHandler, WebhookAnswer, WebhookHandler } from './handler.js'

export interface ServiceSignatureOptions<
  HostRequest extends Request = Request,
> extends ReceiverOptions<HostRequest> {
  /**
   * `explain` of `@service-signature/core/explain`, for what `onRejected` is given to ask. Only edge runtimes need it:
   * there it is not loaded by itself, for a bundle would always hold it.
   */
  readonly explain?: Explain
}

/**
 * Makes the endpoint. Only what the payment service signed reaches the handler; all else is answered here.
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
  options: ServiceSignatureOptions<HostRequest> & { readonly dispatcher: Pick<Dispatcher, 'dispatch'> },
): RequestHandler<HostRequest>
export function serviceSignature(options: ServiceSignatureOptions, handler?: WebhookHandler): RequestHandler {
  checkMistakes(options, handler)
  const { explain, ...own } = options
  const { admit, limits } = createReceiver<Request>(own, explain)

  return async function handle(request, ...rest) {
    checkRequest(request)
    let webhook: VerifiedWebhook
    let tell: Tell | undefined
    try {
      const delivery = admit({
        request,
        // Repeated, it is joined with a comma, and the grammar refuses what stands there twice.
        header: request.headers.get('service-signature'),
        encoding: request.headers.get('content-encoding'),
      })
      const accepted = await delivery.accept(() => readBody(request, limits))
      const status = await accepted.handle((given) => (tell = given))
      // A text, though empty: of a text every host knows the length.
      if (status !== undefined) return new Response(status === 200 ? '' : null, { status })
      webhook = accepted.webhook
    } catch (error) {
      if (!WebhookError.is(error)) throw error
      const { body, ...init } = problemOf(error)
      return new Response(body, init)
    }
    // Not in there: whatever the handler throws is for the host to answer.
    return answerInTurn(tell, () => handler!(webhook, request, ...rest))
  }
}
