import { Injectable, Logger } from '@nestjs/common'
import {
  createDispatcher,
  type IntentPayload,
  type TransactionPayload,
  type VerifiedWebhook,
} from '@service-signature/core'

/** What is done for each event. */
@Injectable()
export class PaymentsService {
  private readonly logger = new Logger(PaymentsService.name)
  private readonly events = createDispatcher()
    .on('transaction.purchase.successful', ({ payload }) => {
      this.paid(payload)
    })
    .on('intent.*', ({ payload }) => {
      this.changed(payload)
    })

  async handle(webhook: VerifiedWebhook): Promise<void> {
    await this.events.dispatch(webhook)
  }

  // A payment that succeeds sends two events. What must happen once, happens for one of them.
  paid({ intent }: TransactionPayload): void {
    this.logger.log(`paid: ${intent.id}`)
  }

  changed({ type, data }: IntentPayload): void {
    this.logger.log(`${type}: ${data.intent_id}`)
  }
}
