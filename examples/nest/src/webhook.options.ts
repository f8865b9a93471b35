import { Logger, type FactoryProvider } from '@nestjs/common'
import { memoryReplayStore } from '@service-signature/core'
import type { ReceiverOptions } from '@service-signature/core/node'

/** How deliveries are verified, on either platform. */
export type WebhookOptions = ReceiverOptions<unknown>

/** What to inject for them. */
export const WEBHOOK_OPTIONS = Symbol('WEBHOOK_OPTIONS')

export const webhookOptions: FactoryProvider<WebhookOptions> = {
  provide: WEBHOOK_OPTIONS,
  // With "inject: [ConfigService]", the secret can come from there.
  useFactory() {
    const { WEBHOOK_SECRET = '' } = process.env
    const logger = new Logger('Webhooks')
    return {
      secret: WEBHOOK_SECRET,
      replay: memoryReplayStore(),
      onRejected({ code, message }) {
        logger.warn(`${code}: ${message}`)
      },
    }
  },
}
