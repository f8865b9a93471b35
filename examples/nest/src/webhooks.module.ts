import { Module } from '@nestjs/common'
import { ServiceSignatureModule } from '@service-signature/nest'
import { PaymentsService } from './payments.service.js'
import { WebhooksController } from './webhooks.controller.js'

@Module({
  imports: [ServiceSignatureModule.forRoot({ secret: process.env['WEBHOOK_SECRET'] ?? '' })],
  controllers: [WebhooksController],
  providers: [PaymentsService],
})
export class WebhooksModule {}
