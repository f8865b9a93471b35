/**
 * The core of all adapters, for an adapter of your own. `./node` has the parts that only the hosts of Node share. This is the
 * entry for Node, Bun and Deno; `receiver.web.ts` is the one for edge runtimes.
 *
 * @module core/receiver
 */
import { NODE_PLATFORM } from '../receive/node-platform.js'
import type { ReceiverOptions } from '../receive/receiver-options.js'
import { Receiver } from '../receive/reception.js'
import { nodeHmac } from '../signature/hmac/node.js'

export type { DeliveryReport } from '../receive/report.js'
export type { HookContext, Hooks, RejectionContext } from '../receive/hooks.js'
export type { BodyLimits } from '../shared/body-limits.js'
export type { ReceiverOptions, WebhookDispatcher } from '../receive/receiver-options.js'
export * from '../receive/problem.js'
export type * from '../receive/reception.js'

/**
 * Makes the core of an adapter.
 *
 * @example
 * const receiver = createReceiver(options)
 * // For each request:
 * const reception = receiver.open({ request, header, encoding })
 * const taken = await reception.take(() => readBody(request, receiver.limits))
 * if ('refused' in taken) return answerTo(taken.refused)
 * if ('status' in taken) return answer(taken.status)
 * await taken.delivery.finish(await statusOfTheNextHandler(taken.delivery.webhook))
 *
 * @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds
 */
export function createReceiver<Request>(options: ReceiverOptions<Request>): Receiver<Request> {
  return new Receiver(options, nodeHmac, NODE_PLATFORM)
}
