import { Logger, Module } from '@nestjs/common'
import { memoryReplayStore } from '@service-signature/core'
import { ServiceSignatureModule } from '@service-signature/nest'
import { PaymentsService } from './payments.service.js'

const logger = new Logger('Webhooks')

@Module({
  imports: [
    ServiceSignatureModule.forRoot({
      path: 'webhooks',
      secret: process.env['WEBHOOK_SECRET'] ?? '',
      replay: memoryReplayStore(),
      onRejected: (error) => {
        logger.warn(`${error.code}: ${error.message}`)
      },
      onUnhandled: ({ event }) => {
        logger.warn(`not handled: ${event.type === 'unrecognized' ? event.receivedType : event.type}`)
      },
    }),
  ],
  providers: [PaymentsService],
})
export class AppModule {}
