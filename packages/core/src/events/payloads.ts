import {
  anything,
  arrayOf,
  boolean,
  code,
  list,
  number,
  object,
  record,
  recordOrText,
  seen,
  string,
  textOrNumber,
  type Infer,
  type Schema,
} from './schema.js'

/*
 * The first fields of each object are essential: they identify the thing, or say what happened to it, or how much it
 * is about. Without one of them, a handler could not do its work. The others may be absent or null. Which is which is
 * our choice (see specification, Payload shapes): the service documents one example of each shape, and not which
 * fields may be left out. It also gives no type of some fields: there, text and number pass.
 */

const amount = object({ value: number, currency: code }, {})

const operationStatus = object({ value: seen<'successful'>(code) }, { id: textOrNumber, created: string })

const operation = object(
  { status: seen<'successful'>(code), amount },
  { id: textOrNumber, type: seen<'purchase'>(), statuses: arrayOf(operationStatus) },
)

const transactionMethod = object(
  {},
  { id: textOrNumber, display_name: string, service_provider: object({}, { id: textOrNumber }) },
)

export const transactionPayload = object(
  {
    type: code as Schema<'transaction.purchase.successful' | `transaction.${string}`>,
    intent: object(
      { id: code, amount },
      { created: string, custom_fields: record, custom_form_answers: record },
    ),
    account: object({ id: code }, {}),
    transaction: object(
      { id: code, status: seen<'purchase.successful'>(code) },
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

const intentMethod = object({}, { display_name: textOrNumber, id: textOrNumber })

const intentTransaction = object(
  { id: code, status: seen<'SUCCESSFUL'>(code), amount: code, amount_currency: code },
  {
    custom_fields: recordOrText,
    created: string,
    billing_data: recordOrText,
    external_action_message: list,
    payment_method: textOrNumber,
    payment_method_name: textOrNumber,
    custom_form_answers: recordOrText,
    custom_message: textOrNumber,
    account: string,
    provider_transaction_fields: record,
    provider_signature_match: boolean,
  },
)

export const intentPayload = object(
  {
    type: code as Schema<'intent.processed' | `intent.${string}`>,
    data: object(
      {
        intent_id: code,
        intent: object(
          {
            id: code,
            status: seen<'PROCESSED'>(code),
            amount: number,
            amount_currency: code,
            account: code,
          },
          {
            type: seen<'Payin'>(),
            custom_fields: recordOrText,
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
