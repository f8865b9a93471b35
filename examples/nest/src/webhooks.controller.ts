import { Controller, HttpCode, Post } from '@nestjs/common'
import type { VerifiedWebhook } from '@service-signature/core'
import { ServiceSignature, Webhook, WebhookDispatcher } from '@service-signature/nest'

@Controller('webhooks')
@ServiceSignature()
export class WebhooksController {
  constructor(private readonly dispatcher: WebhookDispatcher) {}

  @Post()
  @HttpCode(204)
  async receive(@Webhook() webhook: VerifiedWebhook): Promise<void> {
    await this.dispatcher.dispatch(webhook)
  }
}
