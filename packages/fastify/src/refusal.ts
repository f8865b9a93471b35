import { WebhookError } from '@service-signature/core'

/**
 * The error for Fastify. Its own error handler shows `code` and `message` to the caller, so both are the same
 * for every refusal, as core's are for every 401. The reason is `cause`, for the log and for the
 * application's own error handler.
 */
export function refusalOf(error: WebhookError): WebhookError {
  if (error.code === 'ERR_DELIVERY_REFUSED') return error
  const refusal = new WebhookError('ERR_DELIVERY_REFUSED', { cause: error })
  const { status, retryable, retryAfterSeconds, headers } = error
  // Not assigned, because the class has a getter for it.
  Object.defineProperty(refusal, 'headers', { value: headers })
  return Object.assign(refusal, { status, retryable, retryAfterSeconds })
}
