import Type, { type Static } from 'typebox'
import { oneOf } from '../schema.js'
import { CARD_TOKEN_TYPES, ROUTING_ACTIONS, type Saving } from '../store/records.js'
import { PROVIDER_IDS } from './providers.js'
import { invalid } from './refusal.js'

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

const EXCLUSIVE = [
  'tokenize_card',
  'show_save_card_checkbox',
  'show_mandatory_save_card_checkbox',
] as const satisfies readonly (keyof IntentRequest)[]

/** @throws {Refusal} on flags that exclude each other, or that need a customer */
export function checkSaving(request: IntentRequest): Saving {
  const set = EXCLUSIVE.filter((flag) => request[flag] === true)
  if (set.length > 1) throw invalid(set[1]!, `cannot be set together with ${set[0]!}`)
  const flag = set[0] ?? (request.allow_tokenize_card === true ? 'allow_tokenize_card' : undefined)
  if (flag !== undefined && request.customer === undefined) {
    throw invalid('customer', `is needed where ${flag} is set`)
  }
  return {
    isAutomatic: request.tokenize_card ?? false,
    isOffered: request.show_save_card_checkbox ?? false,
    isMandatory: request.show_mandatory_save_card_checkbox ?? false,
    isAllowedToSdk: request.allow_tokenize_card ?? false,
    type: request.card_token_type ?? 'UNIVERSAL',
  }
}

/**
 * `isDedicated`: at the dedicated endpoint a merchant-initiated charge needs no agreement.
 *
 * @throws {Refusal} on a charge of a saved card that lacks a field, or on a wrong routing action
 */
export function checkRouting(request: IntentRequest, isDedicated: boolean): void {
  const { customer, card_token, merchant_initiated, recurring_data, provider, routing_action } = request
  if (card_token !== undefined && customer === undefined) {
    throw invalid('customer', 'is needed where card_token is given')
  }
  if (recurring_data !== undefined && customer === undefined) {
    throw invalid('customer', 'is needed where recurring_data is given')
  }
  if (merchant_initiated === true && card_token === undefined) {
    throw invalid('card_token', 'is needed where merchant_initiated is true')
  }
  if (merchant_initiated === true && recurring_data === undefined && !isDedicated) {
    throw invalid('recurring_data', 'is needed where merchant_initiated is true')
  }
  if (routing_action === undefined) return
  if (provider !== undefined) throw invalid('provider', 'cannot be given together with routing_action')
  if (recurring_data === undefined) {
    throw invalid('recurring_data', 'is needed where routing_action is given')
  }
  if ((routing_action === 'SMART_RECURRING_SETUP') === (merchant_initiated === true)) {
    throw invalid('routing_action', `is not for ${merchant_initiated === true ? 'an MIT' : 'a CIT'}`)
  }
}

/** @throws {Refusal} */
export function checkProvider(id: string | undefined): void {
  if (id !== undefined && !PROVIDER_IDS.some((known) => known === id)) {
    throw invalid('provider', `must be one of ${PROVIDER_IDS.join(', ')}`)
  }
}
