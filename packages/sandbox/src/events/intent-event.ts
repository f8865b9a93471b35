import type { IntentPayload, IntentTransaction } from '@service-signature/core'
import { decimalAmount } from '../model/amounts.js'
import type { Transaction } from '../store/records.js'
import { billingDataOf, type EventSubject } from './event-subject.js'
import { isoTimestamp } from './timestamps.js'

/** Shape B: the intent is paid. */
export function intentEvent(intent: EventSubject): IntentPayload {
  const history = intent.transactions.map((transaction) => describe(intent, transaction))
  return {
    type: 'intent.processed',
    intent_type: 'PAYMENT',
    data: {
      intent_id: intent.id,
      intent: {
        id: intent.id,
        status: 'PROCESSED',
        amount: intent.amount,
        amount_currency: intent.currency,
        type: 'Payin',
        account: intent.scope.accountId,
        custom_fields: intent.customFields,
        billing_data: billingDataOf(intent),
        active_transaction: history.at(-1)!,
        transactions_history: history,
        method: { display_name: intent.method.display_name, id: intent.method.id },
        flow: null,
        is_live: intent.scope.isLive,
        created: isoTimestamp(intent.created),
      },
    },
    api_version: '1.1',
  }
}

function describe(intent: EventSubject, transaction: Transaction): IntentTransaction {
  return {
    id: transaction.id,
    custom_fields: intent.customFields,
    created: isoTimestamp(transaction.created),
    status: transaction.failure === undefined ? 'SUCCESSFUL' : 'FAILED',
    amount: decimalAmount(intent.amount, intent.currency),
    amount_currency: intent.currency,
    billing_data: billingDataOf(intent),
    external_action_message: [],
    payment_method: intent.method.id,
    payment_method_name: intent.method.display_name,
    custom_form_answers: null,
    custom_message: '',
    account: intent.scope.accountId,
    provider_transaction_fields: {
      clearingInstituteName: transaction.providerId,
      ExtendedDescription: transaction.failure ?? 'Approved',
    },
    provider_signature_match: true,
  }
}
