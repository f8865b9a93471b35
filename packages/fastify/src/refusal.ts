import { WebhookError } from '@service-signature/core'

/**
 * The error for Fastify. Its own error handler shows `code` and `message` to the caller, so both are the same
 * for every refusal, as core's are for every 401. The reason is `cause`, for the log and for the
 * application's own error handler.
 */
export function refusalOf(error: WebhookError): WebhookError {
  if (error.code === 'ERR_DELIVERY_REFUSED') return error
  // The delivery was not refused: the dispatcher failed.
  const hasFailed = error.code === 'ERR_EVENT_INVALID'
  const refusal = new WebhookError(hasFailed ? error.code : 'ERR_DELIVERY_REFUSED', { cause: error })
  if (hasFailed) refusal.message = 'The delivery could not be handled.'
  const { status, retryable, retryAfterSeconds, headers } = error
  // Not assigned, because the class has a getter for it.
  Object.defineProperty(refusal, 'headers', { value: headers })
  return Object.assign(refusal, { status, retryable, retryAfterSeconds })
}
