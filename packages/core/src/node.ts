/**
 * What the adapters for Node's hosts share: the raw bytes of a request, under a limit, and what happens to a delivery
 * from there on. For those who write an adapter.
 *
 * @module
 */
export type { HookContext, ReceiverOptions } from './receiver/options.js'
export type { DeliveryReport } from './receiver/report.js'
export { createNodeReceiver, type Exchange, type NodeDelivery, type NodeReceiver } from './node/receiver.js'
