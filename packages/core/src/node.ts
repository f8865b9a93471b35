/**
 * What the adapters for the hosts of Node share beyond `./receiver`: the raw bytes of a request, under a limit, and what
 * happens to a delivery from there on. Also what replay stores share, and the check of options. For an adapter or a store
 * of your own.
 *
 * @module core/node
 */
export type { DeliveryReport } from './hooks.js'
export {
  createNodeReceiver,
  type Exchange,
  type NodeReceiver,
  type NodeReception,
} from './node/node-reception.js'
export { ownOptions } from './options.js'
export type { HookContext, Hooks, ReceiverOptions, RejectionContext } from './receiver-options.js'
export { checkStoreOptions, type ReplayStoreOptions } from './replay/store.js'
