import * as v from 'valibot'
import type { EventIssue } from '../../src/entries/index.js'

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
const code = v.pipe(string, v.regex(/^[!-~]*$/, 'must have only visible ASCII characters'))
const textOrNumber = v.union([v.string(), number], 'must be a string or a number')
const recordOrText = v.union([record, v.string(), number], 'must be an object, a string or a number')
const amount = object({ value: number, currency: code })

function object<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(record, v.object(entries))
}

function arrayOf<const Item extends v.GenericSchema>(item: Item) {
  return v.array(item, 'must be an array')
}

function seen<Value extends string>(
  kind: v.GenericSchema<string> = string,
): v.GenericSchema<Value | (string & Record<never, never>)> {
  return kind
}

function optional<const Schema extends v.GenericSchema>(schema: Schema) {
  return v.exactOptional(v.nullable(schema))
}

export const transactionSchema = object({
  type: code as unknown as v.GenericSchema<
    | 'transaction.purchase.successful'
    | 'transaction.purchase.failed'
    | (`transaction.${string}` & Record<never, never>)
  >,
  intent: object({
    id: code,
    amount,
    created: optional(string),
    custom_fields: optional(record),
    custom_form_answers: optional(record),
  }),
  account: object({ id: code }),
  transaction: object({
    id: code,
    status: seen<'purchase.successful'>(code),
    type: optional(seen<'payment'>()),
    created: optional(string),
    billing_data: optional(record),
    external_action_message: optional(list),
    operations: optional(
      arrayOf(
        object({
          status: seen<'successful'>(code),
          amount,
          id: optional(textOrNumber),
          type: optional(seen<'purchase'>()),
          statuses: optional(
            arrayOf(
              object({
                value: seen<'successful'>(code),
                id: optional(textOrNumber),
                created: optional(string),
              }),
            ),
          ),
        }),
      ),
    ),
    custom_message: optional(string),
    method: optional(
      object({
        id: optional(textOrNumber),
        display_name: optional(string),
        service_provider: optional(object({ id: optional(textOrNumber) })),
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
  id: code,
  status: seen<'SUCCESSFUL'>(code),
  amount: code,
  amount_currency: code,
  custom_fields: optional(recordOrText),
  created: optional(string),
  billing_data: optional(recordOrText),
  external_action_message: optional(list),
  payment_method: optional(textOrNumber),
  payment_method_name: optional(textOrNumber),
  custom_form_answers: optional(recordOrText),
  custom_message: optional(textOrNumber),
  account: optional(string),
  provider_transaction_fields: optional(record),
  provider_signature_match: optional(boolean),
})

export const intentSchema = object({
  type: code as unknown as v.GenericSchema<'intent.processed' | (`intent.${string}` & Record<never, never>)>,
  data: object({
    intent_id: code,
    intent: object({
      id: code,
      status: seen<'PROCESSED'>(code),
      amount: number,
      amount_currency: code,
      account: code,
      type: optional(seen<'Payin'>()),
      custom_fields: optional(recordOrText),
      billing_data: optional(billingData),
      active_transaction: optional(intentTransaction),
      transactions_history: optional(arrayOf(intentTransaction)),
      method: optional(object({ display_name: optional(textOrNumber), id: optional(textOrNumber) })),
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
  if (message.includes('visible')) return message
  const kind = Array.isArray(input) ? 'array' : input === null ? 'null' : typeof input
  const article = kind === 'null' ? '' : /^[aeiou]/.test(kind) ? 'an ' : 'a '
  return `${message}, got ${article}${kind}`
}
