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
  type Schema,
  string,
  textOrNumber,
} from './schema.js'

/** The types that are known so far. Other types of the families `transaction` and `intent` are recognized, too. */
export const EVENT_TYPES = [
  'transaction.purchase.successful',
  'transaction.purchase.failed',
  'intent.processed',
] as const

// Without the intersections, the compiler would drop the known texts, and editors could not complete them.

type KnownType = (typeof EVENT_TYPES)[number]
type TransactionType =
  Extract<KnownType, `transaction.${string}`> | (`transaction.${string}` & Record<never, never>)
type IntentType = Extract<KnownType, `intent.${string}`> | (`intent.${string}` & Record<never, never>)

/** A text of which some values are known, and every other one is accepted, too. */
type Seen<Value extends string> = Value | (string & Record<never, never>)

/*
 * The first fields of each object are essential: they identify the thing, or say what happened to it, or how much it
 * is about. The others may be absent or null. Which is which is our choice (see specification, Payload shapes): the service
 * documents one example of each shape, and not which fields may be left out.
 */

/** The body of a transaction event. Fields that are not listed here are kept, too. `Seen<'a'>` is any text, of which `'a'` is known. */
export interface TransactionPayload {
  type: TransactionType
  intent: TransactionIntent
  /** The account that was paid. The signature does not prove it: compare it, with the option `expect`. */
  account: { id: string }
  transaction: Transaction
  status_id?: string | null
  api_version?: Seen<'1.1'> | null
}

/** The intent of a transaction, in a transaction event. */
export interface TransactionIntent {
  /** The id that the API returned when the intent was created: store it with the order. */
  id: string
  /** How much the intent is about: compare it with your order. */
  amount: Amount
  /** As `2025-03-27 15:41:20.123456+00:00`: `parseTimestamp` reads it. */
  created?: string | null
  custom_fields?: Record<string, unknown> | null
  custom_form_answers?: Record<string, unknown> | null
}

/** An amount of money in a transaction event. */
export interface Amount {
  /** In major units (assumed): 50.5 is 50 euros and 50 cents. */
  value: number
  /** The three letters of the currency. */
  currency: string
}

/** What happened, in a transaction event. */
export interface Transaction {
  /** A UUID. */
  id: string
  status: Seen<'purchase.successful'>
  type?: Seen<'payment'> | null
  /** As `2025-03-27 15:41:20.123456+00:00`: `parseTimestamp` reads it. */
  created?: string | null
  billing_data?: Record<string, unknown> | null
  external_action_message?: unknown[] | null
  operations?: Operation[] | null
  custom_message?: string | null
  method?: TransactionMethod | null
}

/** One step at the provider: a purchase. */
export interface Operation {
  status: Seen<'successful'>
  amount: Amount
  id?: string | number | null
  type?: Seen<'purchase'> | null
  statuses?: OperationStatus[] | null
}

/** A status that an operation has had. */
export interface OperationStatus {
  value: Seen<'successful'>
  id?: string | number | null
  created?: string | null
}

/** How a transaction was paid. */
export interface TransactionMethod {
  id?: string | number | null
  display_name?: string | null
  service_provider?: { id?: string | number | null } | null
}

/** The body of an intent event. Fields that are not listed here are kept, too. `Seen<'a'>` is any text, of which `'a'` is known. */
export interface IntentPayload {
  type: IntentType
  data: {
    /** The id that the API returned when the intent was created: store it with the order. */
    intent_id: string
    intent: Intent
  }
  intent_type?: Seen<'PAYMENT'> | null
  api_version?: Seen<'1.1'> | null
}

/** What happened to an intent, in an intent event. */
export interface Intent {
  id: string
  /** The intent is paid only if this is `PROCESSED`. */
  status: Seen<'PROCESSED'>
  /** In major units (assumed): 50.5 is 50 euros and 50 cents. */
  amount: number
  /** The three letters of the currency. */
  amount_currency: string
  /** The account that was paid. The signature does not prove it: compare it, with the option `expect`. */
  account: string
  type?: Seen<'Payin'> | null
  custom_fields?: Record<string, unknown> | string | number | null
  billing_data?: BillingData | null
  /** The latest try to pay. */
  active_transaction?: IntentTransaction | null
  transactions_history?: IntentTransaction[] | null
  method?: IntentMethod | null
  flow?: unknown
  /** False in test mode. The signature does not prove it: compare it, with the option `expect`. */
  is_live?: boolean | null
  /** As `2025-03-27T15:41:20.123456Z`: `parseTimestamp` reads it. */
  created?: string | null
}

/** The customer, in an intent event. */
export interface BillingData {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  phone_number?: string | null
}

/** How an intent is paid; without fields as long as that is open. */
export interface IntentMethod {
  display_name?: string | number | null
  id?: string | number | null
}

/** A try to pay an intent, in an intent event. */
export interface IntentTransaction {
  /** A UUID. */
  id: string
  status: Seen<'SUCCESSFUL'>
  /** In major units (assumed), as text: `'50.50'`. All other amounts are numbers. */
  amount: string
  /** The three letters of the currency. */
  amount_currency: string
  custom_fields?: Record<string, unknown> | string | number | null
  /** As `2025-03-27T15:41:20.123456Z`: `parseTimestamp` reads it. */
  created?: string | null
  billing_data?: Record<string, unknown> | string | number | null
  external_action_message?: unknown[] | null
  payment_method?: string | number | null
  payment_method_name?: string | number | null
  custom_form_answers?: Record<string, unknown> | string | number | null
  custom_message?: string | number | null
  account?: string | null
  provider_transaction_fields?: Record<string, unknown> | null
  provider_signature_match?: boolean | null
}

const amount = object<Amount>({ value: number, currency: code }, {})

const operationStatus = object<OperationStatus>({ value: code }, { id: textOrNumber, created: string })

const operation = object<Operation>(
  { status: code, amount },
  { id: textOrNumber, type: string, statuses: arrayOf(operationStatus) },
)

const transactionMethod = object<TransactionMethod>(
  {},
  { id: textOrNumber, display_name: string, service_provider: object({}, { id: textOrNumber }) },
)

const transaction = object<Transaction>(
  { id: code, status: code },
  {
    type: string,
    created: string,
    billing_data: record,
    external_action_message: list,
    operations: arrayOf(operation),
    custom_message: string,
    method: transactionMethod,
  },
)

const transactionPayload = object<TransactionPayload>(
  {
    type: code as Schema<TransactionType>,
    intent: object(
      { id: code, amount },
      { created: string, custom_fields: record, custom_form_answers: record },
    ),
    account: object({ id: code }, {}),
    transaction,
  },
  { status_id: string, api_version: string },
)

const intentTransaction = object<IntentTransaction>(
  { id: code, status: code, amount: code, amount_currency: code },
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

const intent = object<Intent>(
  { id: code, status: code, amount: number, amount_currency: code, account: code },
  {
    type: string,
    custom_fields: recordOrText,
    billing_data: object({}, { first_name: string, last_name: string, email: string, phone_number: string }),
    active_transaction: intentTransaction,
    transactions_history: arrayOf(intentTransaction),
    method: object({}, { display_name: textOrNumber, id: textOrNumber }),
    flow: anything,
    is_live: boolean,
    created: string,
  },
)

const intentPayload = object<IntentPayload>(
  { type: code as Schema<IntentType>, data: object({ intent_id: code, intent }, {}) },
  { intent_type: string, api_version: string },
)

/** How the types of each family begin, and what its payload is. */
export const FAMILIES = [
  { shape: 'transaction', prefix: 'transaction.', schema: transactionPayload },
  { shape: 'intent', prefix: 'intent.', schema: intentPayload },
] as const

export const FAMILY_NAMES = FAMILIES.map(({ shape }) => shape)
