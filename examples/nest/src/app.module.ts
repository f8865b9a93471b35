import { Logger, Module } from '@nestjs/common'
import { memoryReplayStore } from '@service-signature/core'
import { ServiceSignatureModule } from '@service-signature/nest'
import { PaymentsService } from './payments.service.js'

@Module({
  imports: [
    ServiceSignatureModule.forRootAsync({
      path: 'webhooks',
      // With "inject: [ConfigService]", the secret can come from there.
      useFactory: () => ({
        secret: process.env['WEBHOOK_SECRET'] ?? '',
        replay: memoryReplayStore(),
        onRejected: ({ code, message }) => {
          Logger.warn(`${code}: ${message}`, 'Webhooks')
        },
      }),
    }),
  ],
  providers: [PaymentsService],
})
export class AppModule {}
