import type { IntentPayload, IntentTransaction } from '@service-signature/core'
import { decimalAmount } from '../model/amounts.js'
import type { Intent, Transaction } from '../model/entities.js'
import type { State } from '../model/state.js'
import { billingDataOf } from './billing-data.js'
import { isoTimestamp } from './timestamps.js'

/** Shape B: the intent is paid. */
export function intentEvent(state: State, intent: Intent): IntentPayload {
  const history = intent.transactions.map((transaction) => describe(state, intent, transaction))
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
        billing_data: billingDataOf(state, intent),
        active_transaction: history.at(-1)!,
        transactions_history: history,
        method: { display_name: state.paymentMethod.name, id: state.paymentMethod.id },
        flow: null,
        is_live: intent.scope.isLive,
        created: isoTimestamp(intent.created),
      },
    },
    api_version: '1.1',
  }
}

function describe(state: State, intent: Intent, transaction: Transaction): IntentTransaction {
  return {
    id: transaction.id,
    custom_fields: intent.customFields,
    created: isoTimestamp(transaction.created),
    status: transaction.failure === undefined ? 'SUCCESSFUL' : 'FAILED',
    amount: decimalAmount(intent.amount, intent.currency),
    amount_currency: intent.currency,
    billing_data: billingDataOf(state, intent),
    external_action_message: [],
    payment_method: state.paymentMethod.id,
    payment_method_name: state.paymentMethod.name,
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
