import { Controller, HttpCode, Logger, Post } from '@nestjs/common'
import type { VerifiedWebhook } from '@service-signature/core'
import { ServiceSignature, Webhook, WebhookDispatcher } from '@service-signature/nest'

@Controller('webhooks')
@ServiceSignature()
export class WebhooksController {
  private readonly logger = new Logger('Webhooks')

  constructor(private readonly dispatcher: WebhookDispatcher) {}

  @Post()
  @HttpCode(204)
  async receive(@Webhook() webhook: VerifiedWebhook): Promise<void> {
    const { event } = webhook
    if ((await this.dispatcher.dispatch(webhook)) === 'handled') return
    this.logger.warn(`not handled: ${event.type === 'unrecognized' ? event.receivedType : event.type}`)
  }
}
