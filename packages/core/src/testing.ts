/**
 * Signed deliveries for the tests of an endpoint. Not for production: whoever can sign can forge.
 *
 * @module
 */
export { intentEvent, transactionEvent, type Overrides } from './testing/events.js'
export { sign, type SignOptions } from './testing/sign.js'
export { signedRequest, type SignedRequest, type SignedRequestOptions } from './testing/signed-request.js'
