import type { CanonicalForm } from './canonical-json/forms.js'
import type { WebhookError } from './errors.js'
import type { WebhookEvent } from './events/event.js'
import type { Version } from './versions.js'

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

/** How `receive` ended. The response to the sender is the same either way. */
export type ReceivedDelivery<Result> = HandledDelivery<Result> | DuplicateDelivery

/** The handler was called, and did not fail. */
export interface HandledDelivery<Result> {
  readonly outcome: 'handled'
  /** For the response. */
  readonly status: 200
  readonly webhook: VerifiedWebhook
  /** The result of the handler. */
  readonly result: Result
  /** The error of the replay store. The delivery was handled, but if it is sent again it may be handled again. */
  readonly storeError?: WebhookError
}

/** The delivery was handled before, and this time the handler was not called. */
export interface DuplicateDelivery {
  readonly outcome: 'duplicate'
  /** For the response. */
  readonly status: 200
  readonly webhook: VerifiedWebhook
}
