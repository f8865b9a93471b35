import type { WebhookError } from '../errors.js'
import type { VerifiedWebhook } from '../webhook.js'
import { handleInTurn, type TakeTurn } from './guard.js'

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

/** A verified delivery, handled once. */
export async function receive<Result>(
  webhook: VerifiedWebhook,
  takeTurn: TakeTurn,
  handler: (webhook: VerifiedWebhook) => Result | Promise<Result>,
): Promise<ReceivedDelivery<Result>> {
  let storeError: WebhookError | undefined
  const turn = await takeTurn(webhook, (error) => (storeError = error))
  if (turn.isDuplicate) return { outcome: 'duplicate', status: 200, webhook }
  const result = await handleInTurn(turn, () => handler(webhook))
  return { outcome: 'handled', status: 200, webhook, result, ...(storeError && { storeError }) }
}
