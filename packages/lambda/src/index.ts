/**
 * Verifies the payment service's webhooks in AWS Lambda.
 *
 * @module lambda
 */
import { WebhookError, type VerifiedWebhook } from '@service-signature/core'
import { createReceiver, problemOf, type ReceiverOptions } from '@service-signature/core/receiver'
import { checkHandler } from '@service-signature/core/shared/check-handler'
import { bodyOf } from './body.js'
import { formOf, headerValues, type Form, type LambdaEvent } from './event.js'
import { responseFor, responseOf, type CompleteResponse, type LambdaResponse } from './response.js'

export type { ApiGatewayEvent, HttpEvent, LambdaEvent, LoadBalancerEvent } from './event.js'
export type { CompleteResponse, LambdaResponse } from './response.js'

export type ServiceSignatureOptions<Event extends LambdaEvent = LambdaEvent> = ReceiverOptions<Event>

type Dispatching<Event> = Required<Pick<ReceiverOptions<Event>, 'dispatcher'>>

/** The members of Lambda's context that all versions have. `Context` of `@types/aws-lambda` is assignable. */
export interface LambdaContext {
  readonly awsRequestId: string
  readonly functionName: string
  readonly getRemainingTimeInMillis: () => number
}

/** Called with each valid delivery. What it returns is the answer: nothing is 204, a string is 200. */
export type WebhookHandler<Event = LambdaEvent, Context = LambdaContext> = (
  webhook: VerifiedWebhook,
  event: Event,
  context: Context,
) => Returned | Promise<Returned>

// `void`, for a handler that is typed to return nothing.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
type Returned = LambdaResponse | string | void

/** The function that Lambda calls. */
export type LambdaHandler<Event = LambdaEvent, Context = LambdaContext> = (
  event: Event,
  context: Context,
) => Promise<CompleteResponse>

/**
 * Verifies webhook signatures. Forged, stale or malformed requests never reach the handler. With a
 * `dispatcher`, the delivery is dispatched and answered here.
 *
 * @example
 * export const handler = serviceSignature({ secret: process.env.WEBHOOK_SECRET }, async ({ event }) => {
 *   console.log(event.type)
 * })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function serviceSignature<
  Event extends LambdaEvent = LambdaEvent,
  Context extends LambdaContext = LambdaContext,
>(
  options: ServiceSignatureOptions<Event> & { readonly dispatcher?: never },
  handler: WebhookHandler<Event, Context>,
): LambdaHandler<Event, Context>
export function serviceSignature<
  Event extends LambdaEvent = LambdaEvent,
  Context extends LambdaContext = LambdaContext,
>(options: ServiceSignatureOptions<Event> & Dispatching<Event>): LambdaHandler<Event, Context>
export function serviceSignature<Event extends LambdaEvent, Context>(
  options: ServiceSignatureOptions<Event>,
  handler?: WebhookHandler<Event, Context>,
): LambdaHandler<Event, Context> {
  const receiver = createReceiver(options)
  checkHandler(handler, options, '(webhook, event, context) => response')

  return async function serviceSignature(event, context) {
    const form = formOf(event)
    const reception = receiver.open({
      request: event,
      header: signatureOf(event),
      encoding: headerValues(event, 'content-encoding').join(),
      // Lambda stops the function at its time-out, and the report must be out before.
      secondsLeft: () => secondsLeft(context as Partial<LambdaContext> | undefined),
    })
    const taken = await reception.take(() => bodyOf(event, receiver.limits))
    if ('refused' in taken) return refusalFor(form, taken.refused)
    if ('status' in taken) return responseFor(form, { statusCode: taken.status })

    const { delivery } = taken
    let response: CompleteResponse | undefined
    try {
      response = responseFor(
        form,
        responseOf(await delivery.run(() => handler!(delivery.webhook, event, context))),
      )
      return response
    } catch (error) {
      response = refusalFor(form, await reception.refuse(error))
      return response
    } finally {
      // Lambda freezes the process after the answer.
      await delivery.finish(response?.statusCode)
    }
  }
}

/** Missing in tests and on other platforms. */
function secondsLeft(context: Partial<LambdaContext> | undefined): number | undefined {
  const milliseconds = context?.getRemainingTimeInMillis?.()
  return milliseconds === undefined ? undefined : milliseconds / 1000 - 0.1
}

/** The one value of the header, or all, which the grammar refuses. */
function signatureOf(event: LambdaEvent): readonly string[] | undefined {
  const values = headerValues(event, 'service-signature')
  return values.length === 0 ? undefined : values
}

/** @throws {unknown} any other error than a refusal: the invocation fails, so that the sender can retry */
function refusalFor(form: Form, error: unknown): CompleteResponse {
  if (!WebhookError.is(error)) throw error
  const { status, headers, body } = problemOf(error)
  return responseFor(form, { statusCode: status, headers, body })
}
