import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import type { VerifiedWebhook } from '@service-signature/core'

/**
 * The delivery that was verified.
 *
 * @example
 * receive(@Webhook() webhook: VerifiedWebhook) {}
 *
 * @throws {TypeError} where nobody verified it, so that the handler does not run
 */
export const Webhook = createParamDecorator((_data: unknown, context: ExecutionContext): VerifiedWebhook => {
  const request = context.switchToHttp().getRequest<{ readonly webhook?: VerifiedWebhook }>()
  if (request.webhook !== undefined) return request.webhook
  throw new TypeError(
    `${context.getClass().name} takes a @Webhook(), and nobody verified it. On Express, the path in app.use() must be ` +
      "the route's, with its prefix; on Fastify, the route needs @RouteConfig({ serviceSignature: true })",
  )
})
