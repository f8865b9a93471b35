/**
 * The core of all adapters, for an adapter of your own. This is the entry for edge
 * runtimes: it uses Web Crypto alone.
 *
 * @module
 */
import type { ReceiverOptions } from '../receive/receiver-options.js'
import { Receiver } from '../receive/reception.js'
import type { Platform } from '../receive/report.js'
import { webHmac } from '../signature/hmac/web.js'

export type { DeliveryReport } from '../receive/report.js'
export type { HookContext, Hooks, RejectionContext } from '../receive/hooks.js'
export type { BodyLimits } from '../shared/body-limits.js'
export type { ReceiverOptions, WebhookDispatcher } from '../receive/receiver-options.js'
export { problemOf, type Problem } from '../receive/problem.js'
export type {
  AnswerStatus,
  CheckedReception,
  Receiver,
  Reception,
  RequestHead,
  Taken,
  VerifiedReception,
} from '../receive/reception.js'

const WEB_PLATFORM: Platform = {
  warn(message, detail) {
    console.warn(`ServiceSignatureWarning: ${message}\n${detail}`)
  },
}

/** Makes the core of an adapter, as on Node. */
export function createReceiver<Request>(options: ReceiverOptions<Request>): Receiver<Request> {
  return new Receiver(options, webHmac, WEB_PLATFORM)
}
