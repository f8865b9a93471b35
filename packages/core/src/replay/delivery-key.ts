import { CANONICAL_FORMS } from '../canonical-json/forms.js'
import type { Hmac } from '../hmac/hmac.js'
import { VERSION_NAMES, VERSIONS } from '../versions.js'
import type { SignatureProof } from '../webhook.js'

/** What identifies a delivery: a webhook or a proof, or the bytes alone. */
export type KeyedDelivery = Pick<SignatureProof, 'rawBody'> &
  Partial<Pick<SignatureProof, 'versions' | 'canonicalForm' | 'keyFingerprint'>> & {
    readonly event?: { readonly shape: string; readonly type?: string }
  }

/**
 * SHA-256 of what the signature covers, in hex. With v3 that is the body. v1 and v2 leave spaces open, and v2 more, so
 * with the bytes of the body a recorded delivery could be sent as many times as there are spaces to add.
 *
 * But a space inside a string can also take the delivery away from its handler: in a key it makes the event unrecognized,
 * in the type it makes it another one. Such a variant is acknowledged without its handler, so it must not have the key of
 * the signed event, which would then be a duplicate. Unrecognized events are told apart by their bytes, others by their
 * type too.
 *
 * The fingerprint of the key is hashed first, so that two accounts behind one endpoint never share a key. No text that v1
 * or v2 cover has a line break, so what is hashed cannot be divided in two ways.
 */
export function deliveryKeyWith(
  { sha256 }: Pick<Hmac, 'sha256'>,
  { rawBody, versions = ['v3'], canonicalForm: form, keyFingerprint, event }: KeyedDelivery,
): string | Promise<string> {
  // The rows are in the order of what they protect.
  const strongest = VERSION_NAMES.filter((name) => versions.includes(name)).at(-1)!
  const version = event?.shape === 'unrecognized' ? 'v3' : strongest
  const [message] = VERSIONS[version].messages(rawBody, form === undefined ? CANONICAL_FORMS : [form])
  if (keyFingerprint === undefined) return sha256(message!.bytes)
  const type = version === 'v3' ? '' : event?.type
  return sha256(message!.bytes, `${keyFingerprint}\n${version}\n${type ?? ''}\n`)
}
