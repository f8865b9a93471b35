import { Controller, HttpCode, Post } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import type { VerifiedWebhook } from '@service-signature/core'
import { PaymentsService } from './payments.service.js'
import { Webhook } from './webhook.decorator.js'

/** Where the payment service delivers. */
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly payments: PaymentsService) {}

  // What is thrown here is answered with 500, and the sender comes back.
  @Post()
  @HttpCode(204)
  // For Fastify: this route is guarded. Without that platform, leave the line out.
  @RouteConfig({ serviceSignature: true })
  async receive(@Webhook() webhook: VerifiedWebhook): Promise<void> {
    await this.payments.handle(webhook)
  }
}
