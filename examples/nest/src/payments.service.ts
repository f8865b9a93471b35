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
    .on('transaction.purchase.successful', ({ payload }) => this.paid(payload))
    .on('intent.*', ({ payload }) => this.changed(payload))

  async handle(webhook: VerifiedWebhook): Promise<void> {
    const outcome = await this.events.dispatch(webhook)
    if (outcome === 'unhandled') this.logger.warn(`not handled: ${webhook.event.type}`)
  }

  // Here stands your database. Return its promise: only what is awaited can fail, and come again.
  // A payment that succeeds sends two events; what must happen once, happens for one of them.
  paid({ intent }: TransactionPayload): Promise<void> {
    this.logger.log(`paid: ${intent.id}`)
    return Promise.resolve()
  }

  changed({ type, data }: IntentPayload): Promise<void> {
    this.logger.log(`${type}: ${data.intent_id}`)
    return Promise.resolve()
  }
}
