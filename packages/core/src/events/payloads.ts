import {
  anything,
  arrayOf,
  boolean,
  list,
  number,
  object,
  record,
  seen,
  string,
  type Infer,
  type Schema,
} from './schema.js'

/*
 * The first fields of each object are essential: they identify the thing, or say what happened to it, or how much it
 * is about. Without one of them, a handler could not do its work. The others may be absent or null. Which is which is
 * our choice (see specification, Payload shapes): the service documents one example of each shape, and not which
 * fields may be left out.
 */

const amount = object({ value: number, currency: string }, {})

const operationStatus = object({ value: seen<'successful'>() }, { id: string, created: string })

const operation = object(
  { status: seen<'successful'>(), amount },
  { id: string, type: seen<'purchase'>(), statuses: arrayOf(operationStatus) },
)

const transactionMethod = object(
  {},
  { id: string, display_name: string, service_provider: object({}, { id: string }) },
)

export const transactionPayload = object(
  {
    type: string as Schema<'transaction.purchase.successful' | `transaction.${string}`>,
    intent: object(
      { id: string, amount },
      { created: string, custom_fields: record, custom_form_answers: record },
    ),
    account: object({ id: string }, {}),
    transaction: object(
      { id: string, status: seen<'purchase.successful'>() },
      {
        type: seen<'payment'>(),
        created: string,
        billing_data: record,
        external_action_message: list,
        operations: arrayOf(operation),
        custom_message: string,
        method: transactionMethod,
      },
    ),
  },
  { status_id: string, api_version: seen<'1.1'>() },
)

/** The body of a transaction event. Fields that are not listed here are kept, too. */
export type TransactionPayload = Infer<typeof transactionPayload>
/** One step at the provider: a purchase. */
export type Operation = Infer<typeof operation>
export type OperationStatus = Infer<typeof operationStatus>
/** An amount of money in a transaction event. */
export type Amount = Infer<typeof amount>
/** How a transaction was paid. */
export type TransactionMethod = Infer<typeof transactionMethod>

const billingData = object({}, { first_name: string, last_name: string, email: string, phone_number: string })

const intentMethod = object({}, { display_name: string, id: string })

const intentTransaction = object(
  { id: string, status: seen<'SUCCESSFUL'>(), amount: string, amount_currency: string },
  {
    custom_fields: record,
    created: string,
    billing_data: billingData,
    external_action_message: list,
    payment_method: string,
    payment_method_name: string,
    custom_form_answers: record,
    custom_message: string,
    account: string,
    provider_transaction_fields: record,
    provider_signature_match: boolean,
  },
)

export const intentPayload = object(
  {
    type: string as Schema<'intent.processed' | `intent.${string}`>,
    data: object(
      {
        intent_id: string,
        intent: object(
          {
            id: string,
            status: seen<'PROCESSED'>(),
            amount: number,
            amount_currency: string,
            account: string,
          },
          {
            type: seen<'Payin'>(),
            custom_fields: record,
            billing_data: billingData,
            active_transaction: intentTransaction,
            transactions_history: arrayOf(intentTransaction),
            method: intentMethod,
            flow: anything,
            is_live: boolean,
            created: string,
          },
        ),
      },
      {},
    ),
  },
  { intent_type: seen<'PAYMENT'>(), api_version: seen<'1.1'>() },
)

/** The body of an intent event. Fields that are not listed here are kept, too. */
export type IntentPayload = Infer<typeof intentPayload>
/** A try to pay an intent, in an intent event. */
export type IntentTransaction = Infer<typeof intentTransaction>
/** The customer, in an intent event. */
export type BillingData = Infer<typeof billingData>
/** How an intent is paid; without fields as long as that is open. */
export type IntentMethod = Infer<typeof intentMethod>
