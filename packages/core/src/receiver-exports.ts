/** What an adapter needs besides `createReceiver`, on Node and on edge runtimes. */
export { GrowingBytes } from './bytes.js'
export type { DeliveryReport, HookContext, Hooks, RejectionContext } from './hooks.js'
export {
  checkHandler,
  type BodyLimits,
  type ReceiverOptions,
  type WebhookDispatcher,
} from './receiver-options.js'
export {
  problemOf,
  type AnswerStatus,
  type Problem,
  type Receiver,
  type Reception,
  type RequestHead,
} from './reception.js'
