import { CANONICAL_FORMS, type CanonicalForm } from './canonical-json/forms.js'
import { WebhookError } from './errors.js'
import type { SignatureHeader } from './header.js'
import type { Hmac, SyncHmac } from './hmac/hmac.js'
import { VERSIONS, type KeysByKind, type Message, type Version } from './versions.js'
import type { SignatureProof } from './webhook.js'

/** The signed content, and its signatures. */
export interface Signed {
  readonly rawBody: Uint8Array
  readonly header: SignatureHeader
  /** The versions that must match; the header has them. */
  readonly versions: readonly Version[]
}

/**
 * Checks every version against every key: every version must match, and all that are signed with one kind of key must
 * match under the same key. All of them are computed before the answer is given.
 *
 * @throws {WebhookError} `ERR_SIGNATURE_MISMATCH`; `ERR_BODY_NOT_JSON` if that alone kept v2 from being computed
 */
export function checkSignatures(signed: Signed, keys: KeysByKind<unknown>, hmac: SyncHmac): SignatureProof {
  const search = new Search()
  for (const { key, message, digest } of candidates(signed, keys, search)) {
    search.matches = hmac.matches(key, message, signed.header.timestamp, digest)
  }
  return proofOf(signed, keys, search, hmac)
}

/** {@link checkSignatures} with an HMAC that answers later. */
export async function checkSignaturesAsync(
  signed: Signed,
  keys: KeysByKind<unknown>,
  hmac: Hmac,
): Promise<SignatureProof> {
  const search = new Search()
  for (const { key, message, digest } of candidates(signed, keys, search)) {
    search.matches = await hmac.matches(key, message, signed.header.timestamp, digest)
  }
  return proofOf(signed, keys, search, hmac)
}

const NO_KEY = -1

/** The results of the digests that were computed so far. */
class Search {
  /** Whether the last candidate matched; this decides which one comes next. */
  // Stryker disable next-line BooleanLiteral: it is set before it is read.
  matches = false
  /** Which key of each kind matched. */
  secret = NO_KEY
  apiKey = NO_KEY
  canonicalForm: CanonicalForm | undefined
  mismatched: Version[] | undefined
  failure: { readonly cause: unknown } | undefined
}

/** A digest that may match. */
interface Candidate {
  readonly key: unknown
  readonly message: Message
  /** In lowercase hex. */
  readonly digest: string
}

/** The digests to compute, one at a time. */
function* candidates(
  { rawBody, header, versions }: Signed,
  keys: KeysByKind<unknown>,
  search: Search,
): Generator<Candidate, void, void> {
  for (const version of versions) {
    const { key: kind, messages } = VERSIONS[version]
    const digest = header.signatures[version]!
    let hasMatched = false
    try {
      search: for (const message of messages(rawBody, CANONICAL_FORMS)) {
        for (let index = 0; index < keys[kind].length; index++) {
          yield { key: keys[kind][index], message, digest }
          if (!search.matches || (search[kind] !== NO_KEY && search[kind] !== index)) continue
          search[kind] = index
          search.canonicalForm ??= message.form
          hasMatched = true
          break search
        }
      }
      if (!hasMatched) (search.mismatched ??= []).push(version)
    } catch (cause) {
      search.failure ??= { cause }
    }
  }
}

/** @throws {WebhookError} as {@link checkSignatures} does */
function proofOf(
  { rawBody, header, versions }: Signed,
  keys: KeysByKind<unknown>,
  { secret, apiKey, canonicalForm, mismatched, failure }: Search,
  hmac: Hmac,
): SignatureProof {
  if (mismatched !== undefined) {
    throw new WebhookError('ERR_SIGNATURE_MISMATCH', { detail: triedKeys(mismatched, keys, hmac) })
  }
  if (failure !== undefined) throw failure.cause
  const timestamp = Number(header.timestamp)
  const hasSecret = secret !== NO_KEY
  const proof = {
    timestamp,
    signedAt: new Date(timestamp * 1000),
    versions,
    rawBody,
    secretIndex: hasSecret ? secret : apiKey,
    keyFingerprint: hmac.fingerprintOf(hasSecret ? keys.secret[secret] : keys.apiKey[apiKey]),
  }
  // Not by a spread, which costs as much as reading the header.
  return canonicalForm === undefined ? proof : Object.assign(proof, { canonicalForm })
}

const KEY_KINDS = ['apiKey', 'secret'] as const
const MAX_FINGERPRINTS = 4

/** `v1 under apiKey sha256:...; v2, v3 under secret sha256:...`, to be compared with what the sender has. */
function triedKeys(mismatched: readonly Version[], keys: KeysByKind<unknown>, hmac: Hmac): string {
  // Loops, because a flood of forgeries costs what this costs.
  let tried = ''
  for (const kind of KEY_KINDS) {
    let versions = ''
    for (const version of mismatched) {
      if (VERSIONS[version].key === kind) versions += versions === '' ? version : `, ${version}`
    }
    if (versions !== '')
      tried += `${tried && '; '}${versions} under ${kind} ${fingerprints(keys[kind], hmac)}`
  }
  return tried
}

function fingerprints(keys: readonly unknown[], hmac: Hmac): string {
  const shown = keys.slice(0, MAX_FINGERPRINTS).map((key) => hmac.fingerprintOf(key))
  const more = keys.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
