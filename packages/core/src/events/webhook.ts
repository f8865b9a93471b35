import type { CanonicalForm } from '../signature/canonical-json/forms.js'
import type { WebhookEvent } from './event.js'
import type { Version } from '../signature/versions.js'

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

/** A valid delivery, and its event. */
export interface VerifiedWebhook<Event extends WebhookEvent = WebhookEvent> extends SignatureProof {
  readonly event: Event
}
