import { CANONICAL_FORMS, type CanonicalForm } from './canonical-json/forms.js'
import { WebhookError } from './errors.js'
import type { SignatureHeader } from './header.js'
import type { Hmac, SyncHmac } from './hmac/hmac.js'
import { VERSIONS, type KeyKind, type KeysByKind, type Message, type Version } from './versions.js'
import type { SignatureProof } from './webhook.js'

/** All that the digests depend on. */
export interface Signed<Key = unknown> {
  readonly rawBody: Uint8Array
  readonly header: SignatureHeader
  /** The versions that must match; the header has them. */
  readonly versions: readonly Version[]
  readonly keys: KeysByKind<Key>
}

/**
 * Checks every version against every key: every version must match, and all that are signed with one kind of key must
 * match under the same key. All of them are computed before the answer is given.
 *
 * @throws {WebhookError} `ERR_SIGNATURE_MISMATCH`; `ERR_BODY_NOT_JSON` if that alone kept v2 from being computed
 */
export function checkSignatures(signed: Signed, hmac: SyncHmac): SignatureProof {
  const search = new SignatureSearch(signed)
  for (const { key, message, digest } of search.candidates()) {
    search.record(hmac.matches(key, message, signed.header.timestamp, digest))
  }
  return search.proof(hmac)
}

/** {@link checkSignatures} with an HMAC that answers later. */
export async function checkSignaturesAsync(signed: Signed, hmac: Hmac): Promise<SignatureProof> {
  const search = new SignatureSearch(signed)
  for (const { key, message, digest } of search.candidates()) {
    search.record(await hmac.matches(key, message, signed.header.timestamp, digest))
  }
  return search.proof(hmac)
}

/** A digest that may match. */
interface Candidate {
  readonly key: unknown
  readonly message: Message
  /** In lowercase hex. */
  readonly digest: string
}

/** What to compute, one digest at a time, and what is known from those computed so far. */
class SignatureSearch {
  readonly #signed: Signed
  readonly #keyIndex: Partial<Record<KeyKind, number>> = {}
  readonly #mismatched: Version[] = []
  #canonicalForm: CanonicalForm | undefined
  #failure: { readonly cause: unknown } | undefined
  #hasMatched = false

  constructor(signed: Signed) {
    this.#signed = signed
  }

  /** The answer to the last candidate; it decides which one comes next. */
  record(hasMatched: boolean): void {
    this.#hasMatched = hasMatched
  }

  *candidates(): Generator<Candidate, void, void> {
    const { rawBody, header, versions, keys } = this.#signed
    for (const version of versions) {
      const { key: kind, messages } = VERSIONS[version]
      const digest = header.signatures[version]!
      let matches = false
      try {
        search: for (const message of messages(rawBody, CANONICAL_FORMS)) {
          for (let index = 0; index < keys[kind].length; index++) {
            yield { key: keys[kind][index], message, digest }
            matches = this.#hasMatched && (this.#keyIndex[kind] ??= index) === index
            if (!matches) continue
            this.#canonicalForm ??= message.form
            break search
          }
        }
        if (!matches) this.#mismatched.push(version)
      } catch (cause) {
        this.#failure ??= { cause }
      }
    }
  }

  /** @throws {WebhookError} as {@link checkSignatures} does */
  proof(hmac: Hmac): SignatureProof {
    if (this.#mismatched.length > 0) {
      throw new WebhookError('ERR_SIGNATURE_MISMATCH', { detail: this.#mismatched.join(', ') })
    }
    if (this.#failure !== undefined) throw this.#failure.cause
    const { rawBody, header, versions, keys } = this.#signed
    const { secret, apiKey } = this.#keyIndex
    const timestamp = Number(header.timestamp)
    const proof = {
      timestamp,
      signedAt: new Date(timestamp * 1000),
      versions,
      rawBody,
      secretIndex: secret ?? apiKey!,
      keyFingerprint: hmac.fingerprintOf(secret === undefined ? keys.apiKey[apiKey!] : keys.secret[secret]),
    }
    return this.#canonicalForm === undefined ? proof : { ...proof, canonicalForm: this.#canonicalForm }
  }
}
