/**
 * Functions for the other packages of this repository. It is not an entry of the published package:
 * the build of each such package inlines it.
 *
 * @module
 */
export { parseJson } from './signature/canonical-json/parse-json.js'
export { toBytes, type WebhookBody } from './verify/body.js'
export { withoutSpaces } from './signature/canonical-json/forms.js'
export { numberOption, ownOptions } from './shared/check-options.js'
export { asciiJson, pythonNumber } from './signature/canonical-json/tokens.js'
export { WebhookError, type WebhookErrorCode } from './errors.js'
export { timeWindowVerdict } from './verify/time-window.js'
export type { Hmac } from './signature/hmac/hmac.js'
export { originOf } from './signature/proof.js'
export { checkKey, fingerprintWith, type KeyKind, type KeysByKind } from './signature/keys.js'
export { checkVerifierOptions } from './verify/verifier-options.js'
export {
  CANONICAL_FORMS,
  type CanonicalForm,
  isVersion,
  VERSION_NAMES,
  type Version,
} from './signature/names.js'
export {
  parseSignatureHeader,
  signatureIn,
  type SignatureHeader,
  type SignatureHeaderValue,
} from './signature/header.js'
export { checkVersions, VERSIONS } from './signature/versions.js'
