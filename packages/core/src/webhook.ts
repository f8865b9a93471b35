import type { CanonicalForm } from './canonical-json/forms.js'
import type { WebhookEvent } from './events/event.js'
import type { Version } from './versions.js'

/** What is known of a delivery whose signature holds. */
export interface SignatureProof {
  /** `t`, the Unix time in seconds at which the delivery was signed. */
  readonly timestamp: number
  /** The same as a `Date`. */
  readonly signedAt: Date
  /** The versions that were required, all of which matched. */
  readonly versions: readonly Version[]
  /** The bytes that were signed. Where the verifier did not have to wait, they are the caller's own, and not a copy. */
  readonly rawBody: Uint8Array
  /** Which item of `secret` matched; of `apiKey` where only v1 is required. */
  readonly secretIndex: number
  /** The `fingerprint` of the key that matched. Safe to log. */
  readonly keyFingerprint: string
  /** How the sender printed what v2 signs. There only where v2 is required. */
  readonly canonicalForm?: CanonicalForm
}

/** A delivery that is genuine and fresh, and what it says. */
export interface VerifiedWebhook<Event extends WebhookEvent = WebhookEvent> extends SignatureProof {
  readonly event: Event
}
