import { Injectable, Logger } from '@nestjs/common'
import type { DispatchedWebhook, IntentEvent } from '@service-signature/core'
import { OnWebhook } from '@service-signature/nest'

@Injectable()
export class PaymentsService {
  private readonly logger = new Logger(PaymentsService.name)

  // Return the promise of your database: an error is answered with 500, so that the sender can retry.
  @OnWebhook('intent.processed')
  async paid({ payload }: DispatchedWebhook<IntentEvent>): Promise<void> {
    const { id, status } = payload.data.intent
    if (status === 'PROCESSED') this.logger.log(`paid: ${id}`)
  }
}
