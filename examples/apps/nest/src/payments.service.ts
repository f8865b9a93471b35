import { Injectable, Logger } from '@nestjs/common'
import type { DispatchedWebhook, TransactionEvent } from '@service-signature/core'
import { OnWebhook } from '@service-signature/nest'

@Injectable()
export class PaymentsService {
  private readonly logger = new Logger(PaymentsService.name)

  // Return the promise of your database: an error is answered with 500, so that the sender can retry.
  @OnWebhook('transaction.purchase.successful')
  async paid({ payload }: DispatchedWebhook<TransactionEvent>): Promise<void> {
    this.logger.log(`paid: ${payload.intent.id}`)
  }
}
