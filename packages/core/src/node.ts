/**
 * What the adapters for Node's hosts share: the raw bytes of a request, under a limit, and what happens to a delivery
 * from there on; and what stores share. For those who write an adapter or a store.
 *
 * @module
 */
export type { HookContext, ReceiverOptions, RejectionContext } from './receiver/options.js'
export type { DeliveryReport } from './receiver/report.js'
export { checkStoreOptions, type ReplayStoreOptions } from './replay/store-options.js'
export {
  createNodeReceiver,
  type AcceptedNodeDelivery,
  type Exchange,
  type NodeDelivery,
  type NodeReceiver,
} from './node/receiver.js'
