import { Module } from '@nestjs/common'
import { memoryReplayStore } from '@service-signature/core'
import { ServiceSignatureModule } from '@service-signature/nest'
import { PaymentsService } from './payments.service.js'

const secret = process.env['WEBHOOK_SECRET'] ?? ''

@Module({
  imports: [ServiceSignatureModule.forRoot({ path: 'webhooks', secret, replay: memoryReplayStore() })],
  providers: [PaymentsService],
})
export class AppModule {}
