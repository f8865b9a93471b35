/**
 * What the adapters for Node's hosts share: the raw bytes of a request, under a limit, and what happens to a delivery
 * from there on; what stores share; and the check of options. For those who write an adapter or a store.
 *
 * @module core/node
 */
export type { HookContext, ReceiverOptions, RejectionContext } from './receiver/options.js'
export { ownOptions } from './options.js'
export type { DeliveryReport } from './receiver/report.js'
export { checkStoreOptions, type ReplayStoreOptions } from './replay/store.js'
export {
  createNodeReceiver,
  type AcceptedNodeDelivery,
  type Exchange,
  type NodeDelivery,
  type NodeReceiver,
} from './node/receiver.js'
