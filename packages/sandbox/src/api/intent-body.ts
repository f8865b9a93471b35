import { CARD_TOKEN_TYPES, ROUTING_ACTIONS } from '../model/entities.js'
import type { IntentRequest } from '../model/intent-rules.js'

const flag = { type: 'boolean' } as const

/** What completes a charge of a saved card. It goes to the vault, and no further. */
export const cardTokenData = {
  type: 'object',
  properties: { cvv: { type: 'string' } },
} as const

/** The fields of S2.1. */
export const intentBody = {
  type: 'object',
  properties: {
    amount: { type: 'number' },
    amount_currency: { type: 'string' },
    operation: { type: 'string', enum: ['purchase'] },
    customer: { type: 'string' },
    tokenize_card: flag,
    show_save_card_checkbox: flag,
    show_mandatory_save_card_checkbox: flag,
    allow_tokenize_card: flag,
    card_token: { type: 'string' },
    card_token_data: cardTokenData,
    merchant_initiated: flag,
    payment_type: { type: 'string', enum: ['UNSCHEDULED'] },
    recurring_data: {
      type: 'object',
      properties: { agreement_id: { type: 'string', minLength: 1, maxLength: 255 } },
      required: ['agreement_id'],
    },
    webhook_url: { type: 'string' },
    card_token_type: {
      type: 'string',
      enum: CARD_TOKEN_TYPES,
      description: 'Of the sandbox: where a card that is saved will live',
    },
    custom_fields: { type: 'object', description: 'Of the sandbox: what the events have under this name' },
    provider: { type: 'string', description: 'Of the sandbox: the provider that it goes to' },
    routing_action: {
      type: 'string',
      enum: ROUTING_ACTIONS,
      description: 'Of the sandbox: the routing action of S9 that chooses the provider',
    },
  },
} as const

/** "Standalone card token (no payment, nothing charged)" (S4.1): nothing in it is about a payment. */
export function isCardTokenRequest(
  request: IntentRequest,
): request is IntentRequest & { readonly customer: string } {
  const { customer, amount, amount_currency, operation, card_token } = request
  return (
    customer !== undefined &&
    [amount, amount_currency, operation, card_token].every((value) => value === undefined)
  )
}
