import { Injectable, Logger, Module } from '@nestjs/common'
import { memoryReplayStore } from '@service-signature/core'
import type { DispatchedWebhook, IntentEvent } from '@service-signature/core'
import { OnWebhook, ServiceSignatureModule } from '@service-signature/nest'

@Injectable()
export class WebhooksService {
  private readonly logger = new Logger(WebhooksService.name)

  @OnWebhook('intent.processed')
  async paid({ payload }: DispatchedWebhook<IntentEvent>) {
    const { id, status } = payload.data.intent
    if (status === 'PROCESSED') this.logger.log(`paid: ${id}`)
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
        onUnhandled: ({ event }) => {
          console.warn('not handled:', event.type === 'unrecognized' ? event.receivedType : event.type)
        },
        onRejected: (error) => {
          console.warn(error.code, error.message)
        },
      }),
    }),
  ],
  providers: [WebhooksService],
})
export class WebhooksModule {}
