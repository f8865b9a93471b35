/** What a delivery carries of its verification, and does not show. */
export interface Origin {
  /** SHA-256 of the key that matched, in hex: 64 digits, because a fingerprint of 8 can be met by another key. */
  readonly keyDigest: string
  /** For how many seconds the same delivery is accepted. */
  readonly acceptedSeconds: number
}

// A registered symbol is the same in both copies of the package that a process may load (ESM and CommonJS).
const ORIGIN = Symbol.for('@service-signature/origin')

/** Gives a delivery its origin. Neither a log nor JSON nor a spread shows it. */
export function setOrigin<Delivery extends object>(delivery: Delivery, origin: Origin): Delivery {
  return Object.defineProperty(delivery, ORIGIN, { value: origin })
}

/** The origin of a delivery that was verified. */
export function originOf(delivery: object): Origin | undefined {
  return (delivery as { readonly [ORIGIN]?: Origin })[ORIGIN]
}

/** Gives a copy of a delivery the origin of the delivery, if that has one. */
export function copyOrigin<Copy extends object>(copy: Copy, delivery: object): Copy {
  const origin = originOf(delivery)
  return origin === undefined ? copy : setOrigin(copy, origin)
}
