import { Module } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { PaymentsService } from './payments.service.js'
import { RefusalFilter } from './refusal.filter.js'
import { webhookOptions } from './webhook.options.js'
import { WebhooksController } from './webhooks.controller.js'

/** All about webhooks, but the platform. */
@Module({
  controllers: [WebhooksController],
  providers: [PaymentsService, webhookOptions, { provide: APP_FILTER, useClass: RefusalFilter }],
})
export class WebhooksModule {}
