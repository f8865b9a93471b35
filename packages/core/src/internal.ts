/**
 * Functions for the other packages of this repository. It is not an entry of the published package:
 * the build of each such package inlines it.
 *
 * @module
 */
export { parseJson, toBytes, type WebhookBody } from './body.js'
export { CANONICAL_FORMS, withoutSpaces, type CanonicalForm } from './signature/canonical-json/forms.js'
export { numberOption, ownOptions } from './check-options.js'
export { asciiJson, pythonNumber } from './signature/canonical-json/tokens.js'
export { WebhookError, type WebhookErrorCode } from './errors.js'
export { readEvent } from './events/event.js'
export {
  parseSignatureHeader,
  signatureIn,
  timeWindowVerdict,
  type SignatureHeader,
  type SignatureHeaderValue,
} from './signature/header.js'
export type { Hmac } from './signature/hmac/hmac.js'
export { originOf } from './signature/origin.js'
export { checkKey, fingerprintWith, type KeyKind, type KeysByKind } from './signature/keys.js'
export { checkVerifierOptions } from './signature/verifier-options.js'
export { checkVersions, isVersion, VERSION_NAMES, VERSIONS, type Version } from './signature/versions.js'
