/**
 * The payment service in test mode, in one process, offline: for tests, and for people.
 *
 * @module sandbox
 */
export { manualClock, type Cancel, type Clock, type ManualClock } from './store/clock.js'
export type { AttemptFinding } from './deliveries/attempt.js'
export type { SandboxOptions } from './options.js'
export type { AttemptReport, Cause } from '@service-signature/deliveries'
export {
  replayRecorded,
  type ReplayedDelivery,
  type ReplayRecordedOptions,
} from '@service-signature/deliveries/node'
export { startSandbox, type Sandbox } from './sandbox.js'
