import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import type { VerifiedWebhook } from '@service-signature/core'
import type { WebhookRequest } from './delivery-intake.js'

/** A part of the delivery: `payload` is that of its event. */
export type WebhookPart = keyof VerifiedWebhook | 'payload'

/**
 * The verified delivery, or a part of it, as a parameter of a guarded method.
 *
 * @example
 * receive(@Webhook() webhook: VerifiedWebhook, @Webhook('payload') payload: unknown) {}
 *
 * @throws {TypeError} if the route is not guarded, so that the method does not run
 */
export const Webhook = createParamDecorator(
  (part: WebhookPart | undefined, context: ExecutionContext): unknown => {
    const { webhook } = context.switchToHttp().getRequest<WebhookRequest>()
    if (webhook === undefined) {
      const route = `${context.getClass().name}.${context.getHandler().name}`
      throw new TypeError(
        `${route} takes a @Webhook(), but the route is not guarded. Add @ServiceSignature() to it`,
      )
    }
    if (part === undefined) return webhook
    return part === 'payload' ? webhook.event.payload : webhook[part]
  },
)
