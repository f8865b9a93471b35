/**
 * Functions for the other packages of this repository. It is not an entry of the published package:
 * the build of each such package inlines it.
 *
 * @module
 */
export { toBytes, type WebhookBody } from './bytes.js'
export { CANONICAL_FORMS, withoutSpaces, type CanonicalForm } from './canonical-json/forms.js'
export { numberOption, ownOptions } from './check-options.js'
export { asciiJson, pythonNumber } from './canonical-json/tokens.js'
export { WebhookError, type WebhookErrorCode } from './errors.js'
export { readEvent } from './events/event.js'
export {
  parseSignatureHeader,
  signatureIn,
  type SignatureHeader,
  type SignatureHeaderValue,
} from './header.js'
export type { Hmac } from './hmac/hmac.js'
export { parseJson } from './json.js'
export { checkKey, fingerprintWith } from './keys.js'
export { checkVerifierOptions, checkVersions } from './options.js'
export { timeWindowVerdict } from './time-window.js'
export {
  isVersion,
  VERSION_NAMES,
  VERSIONS,
  type KeyKind,
  type KeysByKind,
  type Version,
} from './versions.js'
