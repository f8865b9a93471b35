import { CANONICAL_FORMS } from '../canonical-json/forms.js'
import type { Digest } from '../digest/digest.js'
import { VERSION_NAMES, VERSIONS } from '../versions.js'
import type { SignatureProof } from '../webhook.js'

/** What a delivery is known by. Without `versions`, that is its body, byte by byte. */
export type KeyedDelivery = Pick<SignatureProof, 'rawBody'> &
  Partial<Pick<SignatureProof, 'versions' | 'canonicalForm'>>

/**
 * The SHA-256 of what was signed, in hex: with v3 that is the body. v1 and v2 leave spaces open, and v2 more (S6.4,
 * S6.5), so the SHA-256 of the body would let who recorded a delivery send it as many times as they find spaces to add.
 */
export function deliveryKeyWith(
  { sha256 }: Pick<Digest<unknown>, 'sha256'>,
  { rawBody, versions = ['v3'], canonicalForm: form }: KeyedDelivery,
): string | Promise<string> {
  // The rows stand in the order of what they protect.
  const strongest = VERSION_NAMES.filter((name) => versions.includes(name)).at(-1)!
  const [message] = VERSIONS[strongest].messages(rawBody, form === undefined ? CANONICAL_FORMS : [form])
  return sha256(message!.bytes)
}
