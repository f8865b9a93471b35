import type { TransactionPayload } from '@service-signature/core'
import type { Transaction } from '../store/records.js'
import { billingDataOf, type EventSubject } from './event-subject.js'
import { spacedTimestamp } from './timestamps.js'

/** Shape A: how a transaction ended. */
export function transactionEvent(intent: EventSubject, transaction: Transaction): TransactionPayload {
  const amount = { value: intent.amount, currency: intent.currency }
  const status = transaction.failure === undefined ? 'successful' : 'failed'
  const created = spacedTimestamp(transaction.created)
  return {
    type: `transaction.purchase.${status}`,
    status_id: transaction.statusId,
    intent: {
      id: intent.id,
      created: spacedTimestamp(intent.created),
      custom_fields: intent.customFields,
      custom_form_answers: null,
      amount,
    },
    account: { id: intent.scope.accountId },
    transaction: {
      type: 'payment',
      id: transaction.id,
      created,
      status: `purchase.${status}`,
      // Here the service documents an object or null.
      billing_data: intent.customerId === undefined ? null : billingDataOf(intent),
      external_action_message: [],
      operations: [
        {
          id: transaction.operationId,
          type: 'purchase',
          status,
          amount,
          statuses: [{ id: transaction.statusId, value: status, created }],
        },
      ],
      custom_message: '',
      method: { ...intent.method, service_provider: { id: transaction.providerId } },
    },
    api_version: '1.1',
  }
}
