import * as v from 'valibot'
import type { EventIssue } from '../../src/index.js'

/*
 * The fields of the events as schemas of valibot, to compare its verdict with ours. The essential fields of an
 * object come first, then those that may be absent or null.
 */

const string = v.string('must be a string')
const boolean = v.boolean('must be a boolean')
const number = v.custom<number>(Number.isFinite, 'must be a finite number')
const list = v.array(v.unknown(), 'must be an array')
const record = v.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)
const amount = object({ value: number, currency: string })

function object<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(record, v.object(entries))
}

function arrayOf<const Item extends v.GenericSchema>(item: Item) {
  return v.array(item, 'must be an array')
}

function seen<Value extends string>(): v.GenericSchema<Value | (string & Record<never, never>)> {
  return string
}

function optional<const Schema extends v.GenericSchema>(schema: Schema) {
  return v.exactOptional(v.nullable(schema))
}

export const transactionSchema = object({
  type: string as unknown as v.GenericSchema<'transaction.purchase.successful' | `transaction.${string}`>,
  intent: object({
    id: string,
    amount,
    created: optional(string),
    custom_fields: optional(record),
    custom_form_answers: optional(record),
  }),
  account: object({ id: string }),
  transaction: object({
    id: string,
    status: seen<'purchase.successful'>(),
    type: optional(seen<'payment'>()),
    created: optional(string),
    billing_data: optional(record),
    external_action_message: optional(list),
    operations: optional(
      arrayOf(
        object({
          status: seen<'successful'>(),
          amount,
          id: optional(string),
          type: optional(seen<'purchase'>()),
          statuses: optional(
            arrayOf(object({ value: seen<'successful'>(), id: optional(string), created: optional(string) })),
          ),
        }),
      ),
    ),
    custom_message: optional(string),
    method: optional(
      object({
        id: optional(string),
        display_name: optional(string),
        service_provider: optional(object({ id: optional(string) })),
      }),
    ),
  }),
  status_id: optional(string),
  api_version: optional(seen<'1.1'>()),
})

const billingData = object({
  first_name: optional(string),
  last_name: optional(string),
  email: optional(string),
  phone_number: optional(string),
})

const intentTransaction = object({
  id: string,
  status: seen<'SUCCESSFUL'>(),
  amount: string,
  amount_currency: string,
  custom_fields: optional(record),
  created: optional(string),
  billing_data: optional(billingData),
  external_action_message: optional(list),
  payment_method: optional(string),
  payment_method_name: optional(string),
  custom_form_answers: optional(record),
  custom_message: optional(string),
  account: optional(string),
  provider_transaction_fields: optional(record),
  provider_signature_match: optional(boolean),
})

export const intentSchema = object({
  type: string as unknown as v.GenericSchema<'intent.processed' | `intent.${string}`>,
  data: object({
    intent_id: string,
    intent: object({
      id: string,
      status: seen<'PROCESSED'>(),
      amount: number,
      amount_currency: string,
      account: string,
      type: optional(seen<'Payin'>()),
      custom_fields: optional(record),
      billing_data: optional(billingData),
      active_transaction: optional(intentTransaction),
      transactions_history: optional(arrayOf(intentTransaction)),
      method: optional(object({ display_name: optional(string), id: optional(string) })),
      flow: v.exactOptional(v.unknown()),
      is_live: optional(boolean),
      created: optional(string),
    }),
  }),
  intent_type: optional(seen<'PAYMENT'>()),
  api_version: optional(seen<'1.1'>()),
})

/** All issues that valibot reports for a payload; none if it is valid. */
export function valibotIssues(schema: v.GenericSchema, payload: unknown): readonly EventIssue[] {
  const { issues = [] } = v.safeParse(schema, payload)
  return issues.map((issue) => ({ path: v.getDotPath(issue)!, reason: reasonOf(issue) }))
}

function reasonOf({ message, input }: v.BaseIssue<unknown>): string {
  if (input === undefined) return 'is missing'
  const kind = Array.isArray(input) ? 'array' : input === null ? 'null' : typeof input
  const article = kind === 'null' ? '' : /^[aeiou]/.test(kind) ? 'an ' : 'a '
  return `${message}, and is ${article}${kind}`
}
