import { canonicalForms, withoutSpaces, type CanonicalForm } from './canonical-json/forms.js'
import type { Message } from './hmac/hmac.js'
import type { KeyKind } from './keys.js'

/** A text that v2 may have signed also has its form. */
export interface SignedMessage extends Message {
  readonly form?: CanonicalForm
}

interface VersionRow {
  readonly key: KeyKind
  /**
   * The texts that the sender may have signed, the likeliest first. A generator, because the first is usually right.
   */
  readonly messages: (body: Uint8Array, forms: readonly CanonicalForm[]) => Iterable<SignedMessage>
}

// In the order of the header; a new version is a new row. See specification, Signature v3, v2 and v1.
const ROWS = {
  // Spaces and line breaks are removed as bytes: in UTF-8 they are never part of another character.
  v1: { key: 'apiKey', messages: (body) => [{ bytes: withoutSpaces(body) }] },
  v2: { key: 'secret', messages: canonicalForms },
  // Nothing is decoded first, so no two bodies share a signature.
  v3: { key: 'secret', messages: (body) => [{ bytes: body, base64: true }] },
} as const satisfies Record<string, VersionRow>

/** The name of a signature version, as the header spells it. */
export type Version = keyof typeof ROWS

export const VERSIONS: Readonly<Record<Version, VersionRow>> = ROWS

export const VERSION_NAMES = Object.keys(VERSIONS) as readonly Version[]

export function isVersion(name: unknown): name is Version {
  return typeof name === 'string' && Object.hasOwn(VERSIONS, name)
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
