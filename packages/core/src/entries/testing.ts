/**
 * Signed deliveries for the tests of an endpoint, and the cases for a replay store of your own. Not for production.
 *
 * @module core/testing
 */
export * from '../testing/events.js'
export * from '../testing/replay-store.js'
export * from '../testing/sign.js'
