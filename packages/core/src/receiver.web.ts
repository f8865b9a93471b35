/**
 * What all adapters share, for an adapter of your own. This is the entry for edge runtimes: it uses Web Crypto alone.
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

/**
 * Makes the core of an adapter.
 *
 * @example
 * const receiver = createReceiver(options)
 * // For each request:
 * const reception = receiver.open({ request, header, encoding })
 * try {
 *   reception.checkHeader()
 *   const webhook = await reception.verify(await readBody(request, receiver.limits))
 *   const status = await reception.start()
 *   if (status !== undefined) return answer(status)
 * } catch (error) {
 *   return answerTo(reception.refuse(error))
 * }
 * await reception.finish(statusOfTheNextHandler)
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function createReceiver<Request>(options: ReceiverOptions<Request>): Receiver<Request> {
  return new Receiver(options, webHmac, WEB_PLATFORM)
}
