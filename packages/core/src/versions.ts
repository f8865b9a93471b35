import { canonicalForms, withoutSpaces, type CanonicalForm } from './canonical-json/forms.js'

/** The bytes that a digest covers. The text of `t` follows them in every version. */
export interface Message {
  readonly bytes: Uint8Array
  /** The base64 text of the bytes is signed, not the bytes. */
  readonly base64?: true
  readonly form?: CanonicalForm
}

/** The webhook signing secret, or the account API key. */
export type KeyKind = 'secret' | 'apiKey'

export type KeysByKind<Key> = Readonly<Record<KeyKind, readonly Key[]>>

interface VersionRow {
  readonly key: KeyKind
  /**
   * The texts that the sender may have signed, the likeliest first. A generator, because the first is usually right.
   */
  readonly messages: (body: Uint8Array, forms: readonly CanonicalForm[]) => Iterable<Message>
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
