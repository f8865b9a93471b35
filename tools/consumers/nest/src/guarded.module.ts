import { Module } from '@nestjs/common'
import { ServiceSignatureModule } from '@service-signature/nest'
import { DeliveriesController } from './deliveries.controller.js'
import { PaymentsService } from './payments.service.js'

/** A controller of the application handles the deliveries. */
@Module({
  imports: [ServiceSignatureModule.forRoot({ secret: process.env['WEBHOOK_SECRET'] ?? '' })],
  controllers: [DeliveriesController],
  providers: [PaymentsService],
})
export class GuardedModule {}
