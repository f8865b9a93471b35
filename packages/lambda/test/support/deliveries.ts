import {
  serviceSignature,
  type CompleteResponse,
  type HttpEvent,
  type ServiceSignatureOptions,
  type WebhookHandler,
} from '@service-signature/lambda'
import { createHmac } from 'node:crypto'
import { vi, type Mock } from 'vitest'
import { context } from './gateway.js'
import { recorded } from './origins.js'

/** The key and the time of the recorded events. */
export const secret = 'test_signature_key'
export const timestamp = 1743090080
export const now = () => timestamp * 1000

/** The header, by node:crypto alone (see specification, Signature v3). */
export function sign(body: Uint8Array): string {
  const message = Buffer.from(body).toString('base64') + String(timestamp)
  return `t=${timestamp},v3=${createHmac('sha256', secret).update(message).digest('hex')}`
}

/** A valid delivery of any body through an HTTP API, with the changes of the case in its event. */
export function deliveryOf(body: Uint8Array, changes: object = {}): HttpEvent {
  const event = recorded('api-gateway-http-2.0') as HttpEvent
  return {
    ...event,
    headers: { ...event.headers, 'service-signature': sign(body) },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    ...changes,
  }
}

/** The result of an event: the status of its answer, the reasons of refusals, and how often the handler ran. */
export interface Outcome {
  readonly statusCode: number
  readonly refusals: readonly string[]
  readonly handled: number
}

/** A function whose handler and hooks are recorded. */
export interface Watched {
  readonly handler: Mock<WebhookHandler>
  readonly onVerified: Mock<NonNullable<ServiceSignatureOptions['onVerified']>>
  readonly onRejected: Mock<NonNullable<ServiceSignatureOptions['onRejected']>>
  readonly invoke: (event: unknown) => Promise<CompleteResponse>
  readonly outcomeOf: (event: unknown) => Promise<Outcome>
}

/** A function for a test. */
export function watched(options: ServiceSignatureOptions & { readonly dispatcher?: never } = {}): Watched {
  const handler = vi.fn<WebhookHandler>()
  const onVerified = vi.fn<NonNullable<ServiceSignatureOptions['onVerified']>>()
  const onRejected = vi.fn<NonNullable<ServiceSignatureOptions['onRejected']>>()
  const lambda = serviceSignature({ secret, now, onVerified, onRejected, ...options }, handler)
  const invoke = (event: unknown) => lambda(event as HttpEvent, context)
  return {
    handler,
    onVerified,
    onRejected,
    invoke,
    outcomeOf: async (event) => ({
      statusCode: (await invoke(event)).statusCode,
      refusals: onRejected.mock.calls.map(([{ code }]) => code),
      handled: handler.mock.calls.length,
    }),
  }
}
