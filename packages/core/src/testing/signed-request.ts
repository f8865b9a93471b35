import { isBody, type WebhookBody } from '../bytes.js'
import { sign, type SignOptions } from './sign.js'

export interface SignedRequestOptions extends SignOptions {
  /** Default: `/`. */
  readonly url?: string
}

/** A delivery as the payment service would send it, in the words of `fetch`, supertest and `inject` alike. */
export interface SignedRequest<Body> {
  readonly method: 'POST'
  readonly url: string
  readonly headers: { readonly 'Content-Type': string; readonly 'Service-Signature': string }
  readonly body: Body
}

/**
 * Makes a signed delivery of a payload. Text and bytes are sent as they are, anything else as JSON.
 *
 * @example
 * const request = signedRequest(transactionEvent(), { secret, url: 'http://localhost:3000/webhooks' })
 * await fetch(request.url, request)
 * await supertest(app).post('/webhooks').set(request.headers).send(request.body)
 * await fastify.inject(request)
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 */
export function signedRequest<Payload>(
  payload: Payload,
  options: SignedRequestOptions,
): SignedRequest<Payload extends WebhookBody ? Payload : string>
export function signedRequest(payload: unknown, options: SignedRequestOptions): SignedRequest<WebhookBody> {
  const { url = '/', ...signing } = options
  const body = isBody(payload) ? payload : JSON.stringify(payload)
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/json', 'Service-Signature': sign(body, signing) },
    body,
  }
}
