import * as v from 'valibot'
import { arrayOf, boolean, customFields, list, number, object, record, seen, string } from './parts.js'

const nullableString = v.nullable(string)

// Known from real deliveries: null as a whole, and each of its strings null.
const billingData = v.nullable(
  object({
    first_name: nullableString,
    last_name: nullableString,
    email: nullableString,
    phone_number: nullableString,
  }),
)

const wholeMethod = object({ display_name: string, id: string })

// Known from real deliveries: there is none yet.
const noMethod = v.custom<{ readonly [Field in keyof v.InferOutput<typeof wholeMethod>]?: undefined }>(
  (value) => typeof value === 'object' && value !== null && Object.keys(value).length === 0,
)

const method = v.union([wholeMethod, v.pipe(record, noMethod)], 'must be an object')

const transaction = object({
  id: string,
  custom_fields: customFields,
  created: string,
  status: seen<'SUCCESSFUL'>(),
  amount: string,
  amount_currency: string,
  billing_data: billingData,
  external_action_message: list,
  payment_method: string,
  payment_method_name: string,
  custom_form_answers: customFields,
  custom_message: string,
  account: string,
  provider_transaction_fields: record,
  provider_signature_match: boolean,
})

/** Shape B of S6.6. */
export const intentPayload = object({
  type: string as unknown as v.GenericSchema<'intent.processed' | `intent.${string}`>,
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
      custom_fields: customFields,
      billing_data: billingData,
      active_transaction: v.nullable(transaction),
      transactions_history: arrayOf(transaction),
      method,
      flow: v.unknown(),
      is_live: boolean,
      created: string,
    }),
  }),
  api_version: seen<'1.1'>(),
})

/** The body of an intent event (S6.6, shape B). Fields that are not listed there are kept, too. */
export type IntentPayload = v.InferOutput<typeof intentPayload>
/** A try to pay an intent, as shape B has it. */
export type IntentTransaction = v.InferOutput<typeof transaction>
export type BillingData = NonNullable<v.InferOutput<typeof billingData>>
/** How an intent is paid; without fields as long as that is open. */
export type IntentMethod = v.InferOutput<typeof method>
