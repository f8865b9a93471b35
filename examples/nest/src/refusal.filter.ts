import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { WebhookError } from '@service-signature/core'

/**
 * Answers what was refused. Nest's own filter leaves out the headers, `Retry-After` among them, logs every refusal as an
 * error of the application, and in older versions shows the message, which is for the operator.
 */
@Catch(WebhookError)
export class RefusalFilter implements ExceptionFilter<WebhookError> {
  constructor(private readonly host: HttpAdapterHost) {}

  catch({ status, headers }: WebhookError, context: ArgumentsHost): void {
    const { httpAdapter } = this.host
    const response: unknown = context.switchToHttp().getResponse()
    for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value)
    httpAdapter.reply(response, { statusCode: status }, status)
  }
}
