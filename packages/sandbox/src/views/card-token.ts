import { isoTimestamp } from '../events/timestamps.js'
import { CARD_TOKEN_TYPES, type CardToken } from '../model/entities.js'

export const cardTokenSchema = {
  $id: 'CardToken',
  type: 'object',
  properties: {
    id: { type: 'string' },
    customer: { type: 'string' },
    card_token_type: { type: 'string', enum: CARD_TOKEN_TYPES },
    provider: { type: ['string', 'null'], description: 'The only one that can charge it, if it is PROVIDER' },
    brand: { type: 'string' },
    last_four: { type: 'string' },
    is_live: { type: 'boolean' },
    created: { type: 'string' },
  },
  required: ['id', 'customer', 'card_token_type', 'provider', 'brand', 'last_four', 'is_live', 'created'],
  additionalProperties: false,
}

export function viewCardToken(token: CardToken) {
  return {
    id: token.id,
    customer: token.customerId,
    card_token_type: token.type,
    provider: token.providerId ?? null,
    brand: token.brand,
    last_four: token.lastFour,
    is_live: token.scope.isLive,
    created: isoTimestamp(token.created),
  }
}
