import type { WebhookEvent } from './events/event.js'
import type { SignatureProof } from './prover.js'

/** A delivery that is genuine and fresh, and what it says. */
export interface VerifiedWebhook<Event extends WebhookEvent = WebhookEvent> extends SignatureProof {
  readonly event: Event
}
