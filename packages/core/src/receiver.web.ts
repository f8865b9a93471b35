/**
 * The core of all adapters, for an adapter of your own, and what replay stores share. This is the entry for edge
 * runtimes: it uses Web Crypto alone.
 *
 * @module
 */
import type { Platform } from './receive/hooks.js'
import type { ReceiverOptions } from './receive/receiver-options.js'
import { Receiver } from './receive/reception.js'
import { webHmac } from './signature/hmac/web.js'

export { GrowingBytes } from './body.js'
export type { DeliveryReport, HookContext, Hooks, RejectionContext } from './receive/hooks.js'
export {
  checkHandler,
  type BodyLimits,
  type ReceiverOptions,
  type WebhookDispatcher,
} from './receive/receiver-options.js'
export {
  problemOf,
  type AnswerStatus,
  type CheckedReception,
  type Problem,
  type Receiver,
  type Reception,
  type RequestHead,
  type VerifiedReception,
} from './receive/reception.js'
export * from './store-exports.js'

const WEB_PLATFORM: Platform = {
  warn(message, detail) {
    console.warn(`ServiceSignatureWarning: ${message}\n${detail}`)
  },
}

/** Makes the core of an adapter, as on Node. */
export function createReceiver<Request>(options: ReceiverOptions<Request>): Receiver<Request> {
  return new Receiver(options, webHmac, WEB_PLATFORM)
}
