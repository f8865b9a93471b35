import * as v from 'valibot'
import { amount, arrayOf, customFields, list, object, record, seen, string } from './parts.js'

const operationStatus = object({ id: string, value: seen<'successful'>(), created: string })

const operation = object({
  id: string,
  type: seen<'purchase'>(),
  status: seen<'successful'>(),
  amount,
  statuses: arrayOf(operationStatus),
})

const method = object({ id: string, display_name: string, service_provider: object({ id: string }) })

/** Shape A of S6.6. */
export const transactionPayload = object({
  type: string as unknown as v.GenericSchema<'transaction.purchase.successful' | `transaction.${string}`>,
  status_id: string,
  intent: object({
    id: string,
    created: string,
    custom_fields: customFields,
    custom_form_answers: customFields,
    amount,
  }),
  account: object({ id: string }),
  transaction: object({
    type: seen<'payment'>(),
    id: string,
    created: string,
    status: seen<'purchase.successful'>(),
    billing_data: v.nullable(record),
    external_action_message: list,
    operations: arrayOf(operation),
    custom_message: string,
    method,
  }),
  api_version: seen<'1.1'>(),
})

/** The body of a transaction event (S6.6, shape A). Fields that are not listed there are kept, too. */
export type TransactionPayload = v.InferOutput<typeof transactionPayload>
/** One step at the provider: a purchase. */
export type Operation = v.InferOutput<typeof operation>
export type OperationStatus = v.InferOutput<typeof operationStatus>
/** An amount of money as shape A has it. */
export type Amount = v.InferOutput<typeof amount>
/** How a transaction was paid. */
export type TransactionMethod = v.InferOutput<typeof method>
