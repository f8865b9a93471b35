import {
  anything,
  arrayOf,
  boolean,
  list,
  nullable,
  number,
  object,
  orEmpty,
  record,
  seen,
  string,
  type Infer,
  type Schema,
} from './schema.js'

const amount = object({ value: number, currency: string })

const operationStatus = object({ id: string, value: seen<'successful'>(), created: string })

const operation = object({
  id: string,
  type: seen<'purchase'>(),
  status: seen<'successful'>(),
  amount,
  statuses: arrayOf(operationStatus),
})

const transactionMethod = object({
  id: string,
  display_name: string,
  service_provider: object({ id: string }),
})

/** Shape A of S6.6. */
export const transactionPayload = object({
  type: string as Schema<'transaction.purchase.successful' | `transaction.${string}`>,
  status_id: string,
  intent: object({
    id: string,
    created: string,
    custom_fields: nullable(record),
    custom_form_answers: nullable(record),
    amount,
  }),
  account: object({ id: string }),
  transaction: object({
    type: seen<'payment'>(),
    id: string,
    created: string,
    status: seen<'purchase.successful'>(),
    billing_data: nullable(record),
    external_action_message: list,
    operations: arrayOf(operation),
    custom_message: string,
    method: transactionMethod,
  }),
  api_version: seen<'1.1'>(),
})

/** The body of a transaction event (S6.6, shape A). Fields that are not listed there are kept, too. */
export type TransactionPayload = Infer<typeof transactionPayload>
/** One step at the provider: a purchase. */
export type Operation = Infer<typeof operation>
export type OperationStatus = Infer<typeof operationStatus>
/** An amount of money as shape A has it. */
export type Amount = Infer<typeof amount>
/** How a transaction was paid. */
export type TransactionMethod = Infer<typeof transactionMethod>

// Known from real deliveries: null as a whole, and each of its strings null.
const billingData = nullable(
  object({
    first_name: nullable(string),
    last_name: nullable(string),
    email: nullable(string),
    phone_number: nullable(string),
  }),
)

// Known from real deliveries: empty as long as there is none.
const intentMethod = orEmpty(object({ display_name: string, id: string }))

const intentTransaction = object({
  id: string,
  custom_fields: nullable(record),
  created: string,
  status: seen<'SUCCESSFUL'>(),
  amount: string,
  amount_currency: string,
  billing_data: billingData,
  external_action_message: list,
  payment_method: string,
  payment_method_name: string,
  custom_form_answers: nullable(record),
  custom_message: string,
  account: string,
  provider_transaction_fields: record,
  provider_signature_match: boolean,
})

/** Shape B of S6.6. */
export const intentPayload = object({
  type: string as Schema<'intent.processed' | `intent.${string}`>,
  intent_type: seen<'PAYMENT'>(),
  data: object({
    intent_id: string,
    intent: object({
      id: string,
      status: seen<'PROCESSED'>(),
      amount: number,
      amount_currency: string,
      type: seen<'Payin'>(),
      account: string,
      custom_fields: nullable(record),
      billing_data: billingData,
      active_transaction: nullable(intentTransaction),
      transactions_history: arrayOf(intentTransaction),
      method: intentMethod,
      flow: anything,
      is_live: boolean,
      created: string,
    }),
  }),
  api_version: seen<'1.1'>(),
})

/** The body of an intent event (S6.6, shape B). Fields that are not listed there are kept, too. */
export type IntentPayload = Infer<typeof intentPayload>
/** A try to pay an intent, as shape B has it. */
export type IntentTransaction = Infer<typeof intentTransaction>
export type BillingData = NonNullable<Infer<typeof billingData>>
/** How an intent is paid; without fields as long as that is open. */
export type IntentMethod = Infer<typeof intentMethod>
