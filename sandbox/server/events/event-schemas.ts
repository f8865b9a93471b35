import Type from 'typebox'
import { flag, oneOf, open, orNull, ref, text } from '../http/schema.js'

// Further fields are possible: the service documents an example of each event.

const moment = Type.String({ description: 'Such as 2025-03-27 15:41:20.123456+00:00' })
const isoMoment = Type.String({ description: 'ISO 8601 in UTC, such as 2025-03-27T15:41:20.123456Z' })
const anyFields = open({})
const messages = Type.Array(Type.Unknown())
const version = oneOf(['1.1'])
const amount = open({ value: Type.Number(), currency: text })
const billingData = open({ first_name: text, last_name: text, email: text, phone_number: text })

const transactionOperation = open({
  id: text,
  type: text,
  status: text,
  amount,
  statuses: Type.Array(open({ id: text, value: text, created: moment })),
})

/** Shape A, as the sandbox sends it. */
export const transactionEventSchema = open(
  {
    type: Type.String({
      pattern: '^transaction\\.',
      description: '"transaction.<operation>.<status>", such as transaction.purchase.successful',
    }),
    status_id: text,
    intent: open({
      id: text,
      created: moment,
      custom_fields: orNull(anyFields),
      custom_form_answers: orNull(anyFields),
      amount,
    }),
    account: open({ id: text }),
    transaction: open({
      type: text,
      id: Type.String({ description: 'A UUID' }),
      created: moment,
      status: text,
      billing_data: orNull(anyFields),
      external_action_message: messages,
      operations: Type.Array(transactionOperation),
      custom_message: text,
      method: open({ id: text, display_name: text, service_provider: open({ id: text }) }),
    }),
    api_version: version,
  },
  { $id: 'TransactionEvent' },
)

const intentEventTransactionSchema = open(
  {
    id: Type.String({ description: 'A UUID' }),
    custom_fields: orNull(anyFields),
    created: isoMoment,
    status: text,
    amount: Type.String({ description: 'A decimal number, such as 50.50' }),
    amount_currency: text,
    billing_data: billingData,
    external_action_message: messages,
    payment_method: text,
    payment_method_name: text,
    custom_form_answers: orNull(anyFields),
    custom_message: text,
    account: text,
    provider_transaction_fields: anyFields,
    provider_signature_match: flag,
  },
  { $id: 'IntentEventTransaction' },
)

/** Shape B, as the sandbox sends it. */
export const intentEventSchema = open(
  {
    type: Type.String({ pattern: '^intent\\.', description: 'Such as intent.processed' }),
    intent_type: text,
    data: open({
      intent_id: text,
      intent: open({
        id: text,
        status: text,
        amount: Type.Number(),
        amount_currency: text,
        type: text,
        account: text,
        custom_fields: orNull(anyFields),
        billing_data: billingData,
        active_transaction: ref(intentEventTransactionSchema),
        transactions_history: Type.Array(ref(intentEventTransactionSchema)),
        method: open({ display_name: text, id: text }),
        flow: Type.Unknown({ description: 'Null, or a value that the service does not document' }),
        is_live: flag,
        created: isoMoment,
      }),
    }),
    api_version: version,
  },
  { $id: 'IntentEvent' },
)
