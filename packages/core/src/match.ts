import { CANONICAL_FORMS, type CanonicalForm } from './canonical-json/forms.js'
import type { Search } from './digest/digest.js'
import { WebhookError } from './errors.js'
import type { SignatureHeader } from './header.js'
import { VERSIONS, type KeyKind, type KeysByKind, type Version } from './versions.js'

/** All that the digests depend on. */
export interface Delivery<Key> {
  readonly rawBody: Uint8Array
  readonly header: SignatureHeader
  /** The versions that must match; the header has them. */
  readonly versions: readonly Version[]
  readonly keys: KeysByKind<Key>
}

export interface Match {
  /** Which of the keys matched, for each kind of key that was needed. */
  readonly keyIndex: Readonly<Partial<Record<KeyKind, number>>>
  readonly canonicalForm: CanonicalForm | undefined
}

/**
 * Every version must match, and all that are signed with one kind of key under the same key. All of them are
 * computed before the answer is given.
 *
 * @throws {WebhookError} `ERR_SIGNATURE_MISMATCH`; `ERR_BODY_NOT_JSON` when that alone kept v2 from being computed
 */
export function* matchSignatures<Key>({
  rawBody,
  header,
  versions,
  keys,
}: Delivery<Key>): Search<Key, Match> {
  const { timestamp, signatures } = header
  const keyIndex: Partial<Record<KeyKind, number>> = {}
  const mismatched: Version[] = []
  let canonicalForm: CanonicalForm | undefined
  const failures: unknown[] = []

  for (const version of versions) {
    const { key: kind, messages } = VERSIONS[version]
    const digest = signatures[version]!
    const candidates = keys[kind]
    let matches = false
    try {
      search: for (const message of messages(rawBody, CANONICAL_FORMS)) {
        for (let index = 0; index < candidates.length; index++) {
          const asked = { key: candidates[index]!, message, timestamp, digest }
          matches = (yield asked) && (keyIndex[kind] ??= index) === index
          if (!matches) continue
          canonicalForm ??= message.form
          break search
        }
      }
    } catch (error) {
      failures.push(error)
      continue
    }
    if (!matches) mismatched.push(version)
  }
  if (mismatched.length > 0) {
    throw new WebhookError('ERR_SIGNATURE_MISMATCH', { detail: mismatched.join(', ') })
  }
  if (failures.length > 0) throw failures[0]
  return { keyIndex, canonicalForm }
}
