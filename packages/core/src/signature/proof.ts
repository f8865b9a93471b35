import type { CanonicalForm, Version } from './names.js'

/** A delivery whose signature is valid. */
export interface SignatureProof {
  /** `t`, the Unix time in seconds at which the delivery was signed. */
  readonly timestamp: number
  /** The same as a `Date`. */
  readonly signedAt: Date
  /** The versions that were required, all of which matched. */
  readonly versions: readonly Version[]
  /** The bytes that were signed. If the verifier did not have to wait, they are the caller's own, and not a copy. */
  readonly rawBody: Uint8Array
  /** Which item of `secret` matched; of `apiKey` if only v1 is required. */
  readonly secretIndex: number
  /** The `fingerprint` of the key that matched. Safe to log. */
  readonly keyFingerprint: string
  /** How the sender printed what v2 signs. Only if v2 is required. */
  readonly canonicalForm?: CanonicalForm
}

/** What a delivery carries of its verification, and does not show. */
export interface Origin {
  /** SHA-256 of the key that matched, in hex: 64 digits, because a fingerprint of 8 can be met by another key. */
  readonly keyDigest: string
  /** For how many seconds the same delivery is accepted. */
  readonly acceptedSeconds: number
}

// A registered symbol is the same in both copies of the package that a process may load (ESM and CommonJS).
const ORIGIN = Symbol.for('@service-signature/origin')

/** Neither a log nor JSON nor a spread shows it. */
export function setOrigin<Delivery extends object>(delivery: Delivery, origin: Origin): Delivery {
  return Object.defineProperty(delivery, ORIGIN, { value: origin })
}

export function originOf(delivery: object): Origin | undefined {
  return (delivery as { readonly [ORIGIN]?: Origin })[ORIGIN]
}

/** Gives a copy of a delivery the origin of the delivery, if that has one. */
export function copyOrigin<Copy extends object>(copy: Copy, delivery: object): Copy {
  const origin = originOf(delivery)
  return origin === undefined ? copy : setOrigin(copy, origin)
}
