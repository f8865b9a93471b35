/** What both entries of the receiver export. */
export type { Explain } from './explanation.js'
export { GrowingBytes } from './growing-bytes.js'
export type { BodyLimits, HookContext, ReceiverOptions, RejectionContext } from './options.js'
export { problemOf, type Problem } from './problem.js'
export type {
  AcceptedDelivery,
  Arrival,
  Delivery,
  HandledStatus,
  Receiver,
  WhenAnswered,
} from './receiver.js'
export type { DeliveryReport } from './report.js'
