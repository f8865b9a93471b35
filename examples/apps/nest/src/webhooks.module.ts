import { Module } from '@nestjs/common'
import { ServiceSignatureModule } from '@service-signature/nest'
import { PaymentsService } from './payments.service.js'
import { WebhooksController } from './webhooks.controller.js'

@Module({
  imports: [
    ServiceSignatureModule.forRootAsync({
      // With "inject: [ConfigService]", the secret can come from there.
      useFactory: () => ({ secret: process.env['WEBHOOK_SECRET'] ?? '' }),
    }),
  ],
  controllers: [WebhooksController],
  providers: [PaymentsService],
})
export class WebhooksModule {}
