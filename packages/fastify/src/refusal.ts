import { WebhookError } from '@service-signature/core'

/**
 * What Fastify is given for a refusal. Its own error handler shows `code` and `message` to the caller, so here both say
 * nothing for any reason, as core's do for every 401. The reason is `cause`, for the log and for the operator's own
 * error handler.
 */
export function refusalOf(error: WebhookError): WebhookError {
  if (error.code === 'ERR_DELIVERY_REFUSED') return error
  const refusal = new WebhookError('ERR_DELIVERY_REFUSED', { cause: error })
  const { status, retryable, retryAfterSeconds, headers } = error
  // Not assigned: the class has a getter for it, made from the code.
  Object.defineProperty(refusal, 'headers', { value: headers })
  return Object.assign(refusal, { status, retryable, retryAfterSeconds })
}
