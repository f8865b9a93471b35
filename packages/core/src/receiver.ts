/**
 * The core of all adapters, for an adapter of your own. This is the entry for Node, Bun and Deno; `receiver.web.ts`
 * is the one for edge runtimes. `./node` has the parts that only the hosts of Node share.
 *
 * @module core/receiver
 */
import { nodeHmac } from './hmac/node.js'
import { NODE_PLATFORM } from './node/platform.js'
import type { ReceiverOptions } from './receiver-options.js'
import { Receiver } from './reception.js'

export * from './receiver-exports.js'

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
 * @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds
 */
export function createReceiver<Request>(options: ReceiverOptions<Request>): Receiver<Request> {
  return new Receiver(options, nodeHmac, NODE_PLATFORM)
}
