import { canonicalForms, withoutSpaces } from './canonical-json/forms.js'
import type { Message } from './hmac/hmac.js'
import type { KeyKind } from './keys.js'
import { type CanonicalForm, isVersion, type Version, VERSION_NAMES } from './names.js'

/** A text that v2 may have signed also has its form. */
export interface SignedMessage extends Message {
  readonly form?: CanonicalForm
}

interface VersionRow {
  readonly key: KeyKind
  /** The texts that the sender may have signed, the likeliest first. A generator, because the first is usually right. */
  readonly messages: (body: Uint8Array, forms: readonly CanonicalForm[]) => Iterable<SignedMessage>
}

/** What each version signs, and with which key. See specification, Signature v3, v2 and v1. */
export const VERSIONS: Readonly<Record<Version, VersionRow>> = {
  // Spaces and line breaks are removed as bytes: in UTF-8 they are never part of another character.
  v1: { key: 'apiKey', messages: (body) => [{ bytes: withoutSpaces(body) }] },
  v2: { key: 'secret', messages: canonicalForms },
  // Nothing is decoded first, so no two bodies share a signature.
  v3: { key: 'secret', messages: (body) => [{ bytes: body, base64: true }] },
}

/** @throws {TypeError} unless it is a list of known versions, each once */
export function checkVersions(versions: unknown): readonly Version[] {
  if (!Array.isArray(versions) || versions.length === 0) {
    throw new TypeError(`"versions" must be a list of one or more of ${VERSION_NAMES.join(', ')}`)
  }
  const list: unknown[] = [...(versions as unknown[])]
  if (!list.every(isVersion)) {
    throw new TypeError(`"versions" contains an unknown version; expected ${VERSION_NAMES.join(', ')}`)
  }
  if (new Set(list).size !== list.length) throw new TypeError('"versions" contains a duplicate')
  return Object.freeze(list)
}
