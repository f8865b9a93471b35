import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import Type, { type TProperties, type TSchema } from 'typebox'
import { flag, oneOf, open, orNull, ref, text } from '../http/schema.js'

const moment = Type.String({ description: 'Such as 2025-03-27 15:41:20.123456+00:00' })
const isoMoment = Type.String({ description: 'ISO 8601 in UTC, such as 2025-03-27T15:41:20.123456Z' })
const uuid = Type.String({ description: 'A UUID' })
const anyFields = open({})

/** Fields whose example does not show what else they can be. */
const KNOWN: TProperties = {
  custom_fields: orNull(anyFields),
  custom_form_answers: orNull(anyFields),
  external_action_message: Type.Array(Type.Unknown()),
  provider_transaction_fields: anyFields,
  flow: Type.Unknown({ description: 'Null, or a value that the service does not document' }),
  api_version: oneOf(['1.1']),
}

/** The schemas of all fields of an example. Further fields are possible: the service documents an example of each event. */
function fieldsOf(example: object, known: TProperties): TProperties {
  const schemas = Object.entries(example).map(([name, value]) => [
    name,
    known[name] ?? schemaOf(value, known),
  ])
  return Object.fromEntries(schemas) as TProperties
}

function schemaOf(value: unknown, known: TProperties): TSchema {
  if (Array.isArray(value)) return Type.Array(schemaOf(value[0], known))
  if (typeof value === 'object' && value !== null) return open(fieldsOf(value, known))
  return { string: text, number: Type.Number(), boolean: flag }[
    typeof value as 'string' | 'number' | 'boolean'
  ]
}

const transactionExample = transactionEvent()
const ofTransactionEvent = { ...KNOWN, created: moment, billing_data: orNull(anyFields) }

/** Shape A, as the sandbox sends it. */
export const transactionEventSchema = open(
  {
    ...fieldsOf(transactionExample, ofTransactionEvent),
    type: Type.String({
      pattern: '^transaction\\.',
      description: '"transaction.<operation>.<status>", such as transaction.purchase.successful',
    }),
    transaction: open({ ...fieldsOf(transactionExample.transaction, ofTransactionEvent), id: uuid }),
  },
  { $id: 'TransactionEvent' },
)

const intentExample = intentEvent()
const ofIntentEvent = { ...KNOWN, created: isoMoment }

const intentEventTransactionSchema = open(
  {
    ...fieldsOf(intentExample.data.intent.active_transaction!, ofIntentEvent),
    id: uuid,
    amount: Type.String({ description: 'A decimal number, such as 50.50' }),
  },
  { $id: 'IntentEventTransaction' },
)

/** Shape B, as the sandbox sends it. */
export const intentEventSchema = open(
  {
    ...fieldsOf(intentExample, {
      ...ofIntentEvent,
      active_transaction: ref(intentEventTransactionSchema),
      transactions_history: Type.Array(ref(intentEventTransactionSchema)),
    }),
    type: Type.String({ pattern: '^intent\\.', description: 'Such as intent.processed' }),
  },
  { $id: 'IntentEvent' },
)
