import { Injectable, Logger, Module } from '@nestjs/common'
import { memoryReplayStore } from '@service-signature/core'
import type { DispatchedWebhook, TransactionEvent } from '@service-signature/core'
import { OnUnhandledWebhook, OnWebhook, ServiceSignatureModule } from '@service-signature/nest'

@Injectable()
export class WebhooksService {
  private readonly logger = new Logger(WebhooksService.name)

  @OnWebhook('transaction.purchase.successful')
  async paid({ payload }: DispatchedWebhook<TransactionEvent>) {
    this.logger.log(`paid: ${payload.intent.id}`)
  }

  @OnUnhandledWebhook()
  unhandled({ event }: DispatchedWebhook) {
    this.logger.warn(`not handled: ${event.shape === 'unrecognized' ? event.receivedType : event.type}`)
  }
}

/** The endpoint. In main.ts, app.use('/webhooks', unparsed) keeps its bodies from Nest's parsers. */
@Module({
  imports: [
    ServiceSignatureModule.forRootAsync({
      path: 'webhooks',
      useFactory: () => ({
        secret: process.env['WEBHOOK_SECRET'],
        // All accounts and both modes share this secret. Name yours: expect: { account: 'acc_..' }.
        replay: memoryReplayStore(),
        onRejected: (error) => {
          console.warn(error.code, error.message)
        },
      }),
    }),
  ],
  providers: [WebhooksService],
})
export class WebhooksModule {}
