/**
 * The core of the adapters for the hosts of Node, for an adapter of your own. The rest is in `./receiver`.
 *
 * @module core/node
 */
import { type Exchange, type Fix, nodeHead, type ReadNodeBody } from '../receive/node-host.js'
import { NODE_PLATFORM } from '../receive/node-platform.js'
import type { ReceiverOptions } from '../receive/receiver-options.js'
import { Receiver, type Reception } from '../receive/reception.js'
import { nodeHmac } from '../signature/hmac/node.js'

export type { DeliveryReport, HandlingMessage } from '../receive/report.js'
export type { HookContext, Hooks, RejectionContext } from '../receive/hooks.js'
export type { ReceiverOptions } from '../receive/receiver-options.js'
export type { Exchange, ReadNodeBody } from '../receive/node-host.js'
export type { CheckedReception, Reception, Taken, VerifiedReception } from '../receive/reception.js'

/** The core of an adapter for a host of Node. Made once; `open` makes an object for each request. */
export interface NodeReceiver<Request> {
  open(exchange: Exchange<Request>): Reception<Request, ReadNodeBody>
}

/**
 * Makes the core of an adapter for a host of Node.
 *
 * @param fix what to do, in this host, if the body of a request was read before; for `ERR_BODY_CONSUMED`
 * @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds
 */
export function createNodeReceiver<Request>(
  options: ReceiverOptions<Request>,
  fix: Fix<Request>,
): NodeReceiver<Request> {
  const receiver = new Receiver(options, nodeHmac, NODE_PLATFORM)
  return { open: (exchange) => receiver.open(nodeHead(exchange, receiver.limits, fix)) }
}
