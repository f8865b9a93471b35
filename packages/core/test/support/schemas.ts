import * as v from 'valibot'
import type { EventIssue } from '../../src/index.js'

/*
 * What S6.6 says, once more, in the words of valibot: another hand's reading of a value, to compare ours with. An array is
 * no object here, though valibot says so.
 */

const string = v.string('must be a string')
const boolean = v.boolean('must be a boolean')
const number = v.custom<number>(Number.isFinite, 'must be a finite number')
const list = v.array(v.unknown(), 'must be an array')
const record = v.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)
const customFields = v.nullable(record)
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

export const transactionSchema = object({
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
    operations: arrayOf(
      object({
        id: string,
        type: seen<'purchase'>(),
        status: seen<'successful'>(),
        amount,
        statuses: arrayOf(object({ id: string, value: seen<'successful'>(), created: string })),
      }),
    ),
    custom_message: string,
    method: object({ id: string, display_name: string, service_provider: object({ id: string }) }),
  }),
  api_version: seen<'1.1'>(),
})

const billingData = v.nullable(
  object({
    first_name: v.nullable(string),
    last_name: v.nullable(string),
    email: v.nullable(string),
    phone_number: v.nullable(string),
  }),
)

const wholeMethod = object({ display_name: string, id: string })

const noMethod = v.custom<{ readonly [Field in keyof v.InferOutput<typeof wholeMethod>]?: undefined }>(
  (value) => typeof value === 'object' && value !== null && Object.keys(value).length === 0,
)

const intentTransaction = object({
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

export const intentSchema = object({
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
      active_transaction: v.nullable(intentTransaction),
      transactions_history: arrayOf(intentTransaction),
      method: v.union([wholeMethod, v.pipe(record, noMethod)], 'must be an object'),
      flow: v.unknown(),
      is_live: boolean,
      created: string,
    }),
  }),
  api_version: seen<'1.1'>(),
})

/** All that valibot finds wrong with a payload; nothing where it fits. */
export function valibotIssues(schema: v.GenericSchema, payload: unknown): readonly EventIssue[] {
  const { issues = [] } = v.safeParse(schema, payload)
  return issues.flatMap((issue) => flatten(issue))
}

/** Where there is a choice of schemas, the issues are those that name a field inside. */
function flatten(issue: v.BaseIssue<unknown>, parent = ''): EventIssue[] {
  const path = `${parent}${v.getDotPath(issue)!}`
  const inner = issue.issues?.filter((sub) => sub.path !== undefined) ?? []
  if (inner.length > 0) return inner.flatMap((sub) => flatten(sub, `${path}.`))
  return [{ path, reason: reasonOf(issue) }]
}

function reasonOf({ message, input }: v.BaseIssue<unknown>): string {
  if (input === undefined) return 'is missing'
  const kind = Array.isArray(input) ? 'array' : input === null ? 'null' : typeof input
  const article = kind === 'null' ? '' : /^[aeiou]/.test(kind) ? 'an ' : 'a '
  return `${message}, and is ${article}${kind}`
}
