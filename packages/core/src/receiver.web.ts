/**
 * The core of all adapters, for an adapter of your own. This is the entry for edge runtimes: it uses Web Crypto alone.
 *
 * @module
 */
import { webHmac } from './hmac/web.js'
import type { Platform } from './hooks.js'
import type { ReceiverOptions } from './receiver-options.js'
import { Receiver } from './reception.js'

export * from './receiver-exports.js'

const WEB_PLATFORM: Platform = {
  warn(message, detail) {
    console.warn(`ServiceSignatureWarning: ${message}\n${detail}`)
  },
}

/** Makes the core of an adapter, as on Node. */
export function createReceiver<Request>(options: ReceiverOptions<Request>): Receiver<Request> {
  return new Receiver(options, webHmac, WEB_PLATFORM)
}
