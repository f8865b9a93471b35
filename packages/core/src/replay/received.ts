import type { WebhookError } from '../errors.js'
import type { VerifiedWebhook } from '../webhook.js'

/** How a delivery was received. The sender is to be told the same either way. */
export type ReceivedDelivery<Result> = HandledDelivery<Result> | DuplicateDelivery

export interface HandledDelivery<Result> extends Reception {
  readonly outcome: 'handled'
  /** What the handler gave. */
  readonly result: Result
  /** What the store did wrong. The delivery did not suffer for it, but if it comes again it may be handled again. */
  readonly storeError?: WebhookError
}

/** It was handled before, and this time the handler was not called. */
export interface DuplicateDelivery extends Reception {
  readonly outcome: 'duplicate'
}

interface Reception {
  /** For the answer. */
  readonly status: 200
  readonly webhook: VerifiedWebhook
}
