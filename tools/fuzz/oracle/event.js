/**
 * The events of S6.6, written down once more.
 *
 * @typedef {(value: unknown) => boolean} Rule
 */

/** @type {Rule} */
const string = (value) => typeof value === 'string'
/** @type {Rule} */
const number = (value) => typeof value === 'number' && Number.isFinite(value)
/** @type {Rule} */
const boolean = (value) => typeof value === 'boolean'
/** @type {Rule} */
const array = (value) => Array.isArray(value)
/** @type {Rule} */
const anything = (value) => value !== undefined
/** @type {Rule} */
const record = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** @type {Rule} */
const empty = (value) => record(value) && JSON.stringify(value) === '{}'

/** @type {(...rules: Rule[]) => Rule} */
const either =
  (...rules) =>
  (value) =>
    rules.some((rule) => rule(value))
/** @type {(rule: Rule) => Rule} */
const orNull = (rule) => either(rule, (value) => value === null)
/** @type {(rule: Rule) => Rule} */
const listOf = (rule) => (value) => Array.isArray(value) && value.every((item) => rule(item))
/** @type {(fields: Readonly<Record<string, Rule>>) => Rule} */
const object = (fields) => (value) =>
  record(value) && Object.entries(fields).every(([name, rule]) => rule(fieldOf(value, name)))

/**
 * A field of its own, and none of the prototype's.
 *
 * @param {unknown} value an object
 * @param {string} name
 */
function fieldOf(value, name) {
  const fields = /** @type {Readonly<Record<string, unknown>>} */ (value)
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

const amount = object({ value: number, currency: string })

const transactionEvent = object({
  type: string,
  status_id: string,
  intent: object({
    id: string,
    created: string,
    custom_fields: orNull(record),
    custom_form_answers: orNull(record),
    amount,
  }),
  account: object({ id: string }),
  transaction: object({
    type: string,
    id: string,
    created: string,
    status: string,
    billing_data: orNull(record),
    external_action_message: array,
    operations: listOf(
      object({
        id: string,
        type: string,
        status: string,
        amount,
        statuses: listOf(object({ id: string, value: string, created: string })),
      }),
    ),
    custom_message: string,
    method: object({ id: string, display_name: string, service_provider: object({ id: string }) }),
  }),
  api_version: string,
})

const billingData = orNull(
  object({
    first_name: orNull(string),
    last_name: orNull(string),
    email: orNull(string),
    phone_number: orNull(string),
  }),
)

const intentTransaction = object({
  id: string,
  custom_fields: orNull(record),
  created: string,
  status: string,
  amount: string,
  amount_currency: string,
  billing_data: billingData,
  external_action_message: array,
  payment_method: string,
  payment_method_name: string,
  custom_form_answers: orNull(record),
  custom_message: string,
  account: string,
  provider_transaction_fields: record,
  provider_signature_match: boolean,
})

const intentEvent = object({
  type: string,
  intent_type: string,
  data: object({
    intent_id: string,
    intent: object({
      id: string,
      status: string,
      amount: number,
      amount_currency: string,
      type: string,
      account: string,
      custom_fields: orNull(record),
      billing_data: billingData,
      active_transaction: orNull(intentTransaction),
      transactions_history: listOf(intentTransaction),
      method: either(object({ display_name: string, id: string }), empty),
      flow: anything,
      is_live: boolean,
      created: string,
    }),
  }),
  api_version: string,
})

/**
 * Which of the shapes a payload has.
 *
 * @param {unknown} payload
 */
export function shapeOf(payload) {
  /** @type {unknown} */
  const type = record(payload) ? fieldOf(payload, 'type') : undefined
  if (typeof type !== 'string') return 'unrecognized'
  if (type.startsWith('transaction.') && transactionEvent(payload)) return 'transaction'
  return type.startsWith('intent.') && intentEvent(payload) ? 'intent' : 'unrecognized'
}
