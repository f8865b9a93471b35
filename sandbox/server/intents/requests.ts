import Type, { type Static } from 'typebox'
import { CARD_TOKEN_TYPES } from '../cards/cards.js'
import { PROVIDER_IDS } from '../faults/providers.js'
import { invalid } from '../http/refusal.js'
import { oneOf } from '../http/schema.js'
import { checkAmount } from './amounts.js'

const ROUTING_ACTIONS = [
  'SMART_RECURRING_SETUP',
  'SMART_RECURRING_PROCESSING',
  'SMART_RECURRING_RECOVERY',
] as const

const flag = Type.Optional(Type.Boolean())
const text = Type.Optional(Type.String())

/** The fields of the service, and those that the sandbox adds. Card numbers and CVVs are not among them. */
export const intentRequest = Type.Object({
  amount: Type.Optional(Type.Number()),
  amount_currency: text,
  operation: Type.Optional(oneOf(['purchase'])),
  customer: text,
  tokenize_card: flag,
  show_save_card_checkbox: flag,
  show_mandatory_save_card_checkbox: flag,
  allow_tokenize_card: flag,
  card_token: text,
  merchant_initiated: flag,
  payment_type: Type.Optional(oneOf(['UNSCHEDULED'])),
  recurring_data: Type.Optional(Type.Object({ agreement_id: Type.String({ minLength: 1 }) })),
  webhook_url: text,
  card_token_type: Type.Optional(
    oneOf(CARD_TOKEN_TYPES, { description: 'Of the sandbox: where a card that is saved will live' }),
  ),
  custom_fields: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Of the sandbox: the events have it under this name',
    }),
  ),
  provider: Type.Optional(Type.String({ description: 'Of the sandbox: the provider that it goes to' })),
  routing_action: Type.Optional(
    oneOf(ROUTING_ACTIONS, {
      description: 'Of the sandbox: the routing action that chooses the provider',
    }),
  ),
})

export type IntentRequest = Static<typeof intentRequest>

/** What is stored of a request for a payment under the same name. */
const storedRequest = Type.Omit(intentRequest, ['custom_fields', 'recurring_data'])

export type PaymentRequest = Static<typeof storedRequest> & {
  readonly amount: number
  readonly amount_currency: string
  readonly agreement_id: string | undefined
}

export const cardTokenIntentRequest = Type.Object({
  customer: Type.String(),
  webhook_url: Type.Optional(Type.String()),
  card_token_type: Type.Optional(oneOf(CARD_TOKEN_TYPES)),
  provider: Type.Optional(Type.String({ description: 'Of the sandbox: the provider that keeps the card' })),
})

export type CardTokenIntentRequest = Static<typeof cardTokenIntentRequest>

const EXCLUSIVE = ['tokenize_card', 'show_save_card_checkbox', 'show_mandatory_save_card_checkbox'] as const

type Name = keyof IntentRequest

/** The fields that another one needs. */
const NEEDED: readonly (readonly [needed: Name, by: Name, word: 'set' | 'given' | 'true'])[] = [
  ['customer', 'tokenize_card', 'set'],
  ['customer', 'show_save_card_checkbox', 'set'],
  ['customer', 'show_mandatory_save_card_checkbox', 'set'],
  ['customer', 'allow_tokenize_card', 'set'],
  ['customer', 'card_token', 'given'],
  ['customer', 'recurring_data', 'given'],
  ['card_token', 'merchant_initiated', 'true'],
  ['recurring_data', 'merchant_initiated', 'true'],
  ['recurring_data', 'routing_action', 'given'],
]

/**
 * Reads what a request says by itself. `isDedicated`: at the dedicated endpoint a merchant-initiated charge needs no agreement.
 *
 * @throws {Refusal} on a field that is missing, is not as it must be, or does not go with another
 */
export function readPaymentRequest(request: IntentRequest, isDedicated: boolean): PaymentRequest {
  const { amount, amount_currency: currency, merchant_initiated, recurring_data, routing_action } = request
  if (amount === undefined) throw invalid('amount', 'is missing')
  if (currency === undefined) throw invalid('amount_currency', 'is missing')
  checkAmount(amount, currency)
  const [first, second] = EXCLUSIVE.filter((flag) => request[flag] === true)
  if (second !== undefined) throw invalid(second, `cannot be set together with ${first!}`)
  // Half of a surrogate pair has no encoding of its own, so two ids would be one.
  if (/\p{Surrogate}/u.test(recurring_data?.agreement_id ?? '')) {
    throw invalid('recurring_data.agreement_id', 'must be well-formed: it has half of a surrogate pair')
  }
  for (const [needed, by, word] of NEEDED) {
    const isOptional = isDedicated && needed === 'recurring_data' && by === 'merchant_initiated'
    if (request[needed] !== undefined || isOptional) continue
    if (request[by] !== undefined && request[by] !== false) {
      throw invalid(needed, `is needed where ${by} is ${word}`)
    }
  }
  if (routing_action !== undefined) {
    if (request.provider !== undefined) {
      throw invalid('provider', 'cannot be given together with routing_action')
    }
    if ((routing_action === 'SMART_RECURRING_SETUP') === (merchant_initiated === true)) {
      throw invalid('routing_action', `is not for ${merchant_initiated === true ? 'an MIT' : 'a CIT'}`)
    }
  }
  checkProvider(request.provider)
  const agreementId = recurring_data?.agreement_id
  const stored = known(storedRequest.properties, request)
  return { ...stored, amount, amount_currency: currency, agreement_id: agreementId }
}

/** The known fields of a request. Any other could hold the number of a card, which must not be stored. */
export function known<Request extends object>(fields: object, request: Request): Request {
  return Object.fromEntries(Object.entries(request).filter(([name]) => name in fields)) as Request
}

/** @throws {Refusal} */
export function checkProvider(id: string | undefined): void {
  if (id !== undefined && !PROVIDER_IDS.some((known) => known === id)) {
    throw invalid('provider', `must be one of ${PROVIDER_IDS.join(', ')}`)
  }
}
