import { Module } from '@nestjs/common'
import { ServiceSignatureModule } from '@service-signature/nest'
import { DeliveriesController } from './deliveries.controller.js'
import { PaymentsService } from './payments.service.js'

@Module({
  imports: [
    ServiceSignatureModule.forRoot({ secret: process.env['WEBHOOK_SECRET'] ?? '', path: 'webhooks' }),
  ],
  controllers: [DeliveriesController],
  providers: [PaymentsService],
})
export class AppModule {}
