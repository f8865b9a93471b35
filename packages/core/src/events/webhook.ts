import type { SignatureProof } from '../signature/proof.js'
import type { WebhookEvent } from './event.js'

/** A valid delivery, and its event. */
export interface VerifiedWebhook<Event extends WebhookEvent = WebhookEvent> extends SignatureProof {
  readonly event: Event
}
