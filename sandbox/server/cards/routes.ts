import type { Static } from 'typebox'
import { withKey } from '../accounts/access.js'
import { answer } from '../accounts/answer.js'
import type { Model } from '../faults/faults.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { exactly, flag, oneOf, orNull, text } from '../http/schema.js'
import { CARD_TOKEN_TYPES, getCardToken, type CardToken } from './cards.js'

export const cardTokenSchema = exactly(
  {
    id: text,
    customer: text,
    card_token_type: oneOf(CARD_TOKEN_TYPES),
    provider: orNull(text, { description: 'The only one that can charge it, if it is PROVIDER' }),
    brand: text,
    last_four: text,
    is_live: flag,
    created: text,
  },
  { $id: 'CardToken' },
)

export function viewCardToken(token: CardToken): Static<typeof cardTokenSchema> {
  const { card, customerId: customer, type: card_token_type, providerId: provider = null } = token
  return answer(cardTokenSchema, { ...card, ...token }, { customer, card_token_type, provider })
}

/** Saved cards. */
export function cardTokens(app: App, model: Model): void {
  new Operations(app, withKey('account', model)).add(
    'GET /api/v1.4/tokens/cards/:id/',
    { id: 'getCardToken', summary: 'A card token', params: byId, data: cardTokenSchema },
    ({ params, maker }) => success(viewCardToken(getCardToken(model, maker, params.id, 'id'))),
  )
}
