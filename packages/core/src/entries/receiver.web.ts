/**
 * `receiver.ts` for edge runtimes: it uses Web Crypto alone.
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
export * from '../receive/problem.js'
export type * from '../receive/reception.js'

const WEB_PLATFORM: Platform = {
  warn(message, detail) {
    console.warn(`ServiceSignatureWarning: ${message}\n${detail}`)
  },
}

export function createReceiver<Request>(options: ReceiverOptions<Request>): Receiver<Request> {
  return new Receiver(options, webHmac, WEB_PLATFORM)
}
