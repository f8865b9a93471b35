import type { Hmac } from '../signature/hmac/hmac.js'
import { VERSION_NAMES } from '../signature/names.js'
import { originOf, type SignatureProof } from '../signature/proof.js'
import { VERSIONS } from '../signature/versions.js'

/** A webhook, or a proof: what a verifier returned, and not a copy of it. */
export type KeyedDelivery = SignatureProof & {
  readonly event?: { readonly shape: string; readonly reason?: string }
}

/**
 * SHA-256 of what the signature covers, in hex. With v3 that is the body. v1 and v2 do not cover spaces, and v2
 * leaves more open, so a hash of the bytes would let an attacker replay a recorded delivery by adding spaces.
 *
 * But a space in an essential key or value makes the event unrecognized. Such a variant is acknowledged without its handler, so
 * it must not have the key of the signed event, which would then be a duplicate. Unrecognized events are distinguished by their
 * reason: one signed text has two keys at most.
 *
 * The SHA-256 of the key is hashed first, so that two keys never share a delivery. No text that v1 or v2 cover has a line
 * break, so the hashed text can be divided in only one way.
 *
 * @throws {TypeError} on a copy, which has lost the digest of the key
 */
export function deliveryKeyWith({ sha256 }: Pick<Hmac, 'sha256'>, delivery: KeyedDelivery) {
  const origin = originOf(Object(delivery) as object)
  if (origin === undefined) {
    throw new TypeError(
      'deliveryKey: expected a webhook as verify() returned it, such as req.webhook, and not a copy of it ({ ...webhook }, JSON)',
    )
  }
  const { rawBody, versions, canonicalForm: form, event } = delivery
  // The rows are in the order of what they protect.
  const version = VERSION_NAMES.filter((name) => versions.includes(name)).at(-1)!
  // A proof of v2 has its form; v1 and v3 do not use one.
  const [message] = VERSIONS[version].messages(rawBody, [form!])
  return sha256(message!.bytes, `${origin.keyDigest}\n${version}\n${event?.reason ?? ''}\n`)
}
