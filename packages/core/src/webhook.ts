import type { CanonicalForm } from './canonical-json/forms.js'
import { readEvent, type WebhookEvent } from './events/event.js'
import type { Delivery, Match } from './match.js'
import type { Version } from './versions.js'

/** What is known of a delivery whose signature holds. */
export interface SignatureProof {
  /** `t`, the Unix time in seconds at which the delivery was signed. */
  readonly timestamp: number
  /** The same as a `Date`. */
  readonly signedAt: Date
  /** The versions that were required, all of which matched. */
  readonly versions: readonly Version[]
  /** The bytes that were signed. */
  readonly rawBody: Uint8Array
  /** Which item of `secret` matched; of `apiKey` where only v1 is required. */
  readonly secretIndex: number
  /** How the sender printed what v2 signs. There only where v2 is required. */
  readonly canonicalForm?: CanonicalForm
}

/** A delivery that is genuine and fresh, and what it says. */
export interface VerifiedWebhook<Event extends WebhookEvent = WebhookEvent> extends SignatureProof {
  readonly event: Event
}

/** What is made of a delivery once its signature holds. */
export type Finish<Result> = (delivery: Delivery<unknown>, match: Match) => Result

export function toProof(
  { rawBody, header, versions }: Delivery<unknown>,
  { keyIndex, canonicalForm }: Match,
): SignatureProof {
  const timestamp = Number(header.timestamp)
  const signedAt = new Date(timestamp * 1000)
  const secretIndex = keyIndex.secret ?? keyIndex.apiKey!
  const proof = { timestamp, signedAt, versions, rawBody, secretIndex }
  return canonicalForm === undefined ? proof : { ...proof, canonicalForm }
}

/** @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function toWebhook(delivery: Delivery<unknown>, match: Match): VerifiedWebhook {
  // Not by a spread, which costs as much as reading the header.
  return Object.assign(toProof(delivery, match), { event: readEvent(delivery.rawBody) })
}
