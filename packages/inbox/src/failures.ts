import { WebhookError } from '@service-signature/core'

/** The refusal of a delivery that the database cannot take now: the sender should retry it. */
export function unavailable(
  cause: unknown,
  detail = 'the database failed before the handler was called',
): WebhookError {
  return new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { detail, cause })
}

/** The error after a COMMIT that was sent, but not answered. */
export function unconfirmed(cause: unknown): WebhookError {
  return unavailable(cause, 'the end of the transaction was not confirmed; a retry finds out how it ended')
}
