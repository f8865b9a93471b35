/** The exports that both entries of the receiver have. */
export { GrowingBytes } from './bytes.js'
export type { DeliveryReport } from './hooks.js'
export { problemOf, type Problem } from './problem.js'
export type {
  BodyLimits,
  HookContext,
  Hooks,
  ReceiverOptions,
  RejectionContext,
  WebhookDispatcher,
} from './receiver-options.js'
export type { AnswerStatus, Receiver, Reception, RequestHead } from './reception.js'
