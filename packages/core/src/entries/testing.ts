/**
 * Signed deliveries for the tests of an endpoint, and the cases for a replay store of your own. Not for production.
 *
 * @module core/testing
 */
export { intentEvent, transactionEvent, verifiedWebhook, type Overrides } from '../testing/events.js'
export {
  replayStoreCases,
  type ReplayStoreCase,
  type ReplayStoreTimes,
  type ReplayStoreUnderTest,
} from '../testing/replay-store.js'
export {
  printBody,
  sign,
  signedRequest,
  type BodyStyle,
  type SignedRequest,
  type SignedRequestOptions,
  type SignOptions,
} from '../testing/sign.js'
