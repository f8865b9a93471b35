import { Module } from '@nestjs/common'
import { ServiceSignatureModule } from '@service-signature/nest'
import { PaymentsService } from './payments.service.js'

/** The module of the package serves the endpoint, and calls the methods with @OnWebhook(). */
@Module({
  imports: [
    ServiceSignatureModule.forRoot({ secret: process.env['WEBHOOK_SECRET'] ?? '', path: 'webhooks' }),
  ],
  providers: [PaymentsService],
})
export class DispatchedModule {}
