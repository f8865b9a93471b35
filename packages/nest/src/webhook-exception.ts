import { HttpException, Logger } from '@nestjs/common'
import type { HttpAdapterHost } from '@nestjs/core'
import { WebhookError } from '@service-signature/core'
import { STATUS_CODES } from 'node:http'
import { inspect } from 'node:util'
import type { WebhookResponse } from './delivery-intake.js'

/**
 * A delivery was refused. Its response has the status and nothing else; the reason is `cause`, for your
 * exception filters and your log.
 *
 * @example
 * @Catch(WebhookException)
 * class RefusalFilter implements ExceptionFilter<WebhookException> {
 *   catch({ cause }: WebhookException) {
 *     console.warn(cause.code, cause.message)
 *   }
 * }
 */
export class WebhookException extends HttpException {
  declare readonly cause: WebhookError

  constructor(refusal: WebhookError) {
    const { status, cause } = refusal
    // A 401 from core is the same for every reason; its cause is the reason.
    const reason = WebhookError.is(cause) ? cause : refusal
    super({ statusCode: status, message: STATUS_CODES[status] }, status, { cause: reason })
  }
}

/**
 * The exception for an error of a step, for Nest's exception filters. The filters of Nest send no headers, so
 * they are set here.
 */
export function exceptionFor(
  error: unknown,
  response: WebhookResponse,
  { httpAdapter }: HttpAdapterHost,
): unknown {
  if (!WebhookError.is(error)) return error
  for (const [name, value] of Object.entries(error.headers)) httpAdapter.setHeader(response, name, value)
  // Nest logs an HttpException at no status, but this one is a fault of the application.
  if (error.status >= 500) new Logger('ServiceSignature').error(inspect(error))
  return new WebhookException(error)
}
