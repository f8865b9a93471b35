import Type, { type Static } from 'typebox'
import { withKey } from '../http/access.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { exactly, flag, oneOf, orNull, text } from '../schema.js'
import { getCustomer, getCardToken } from '../model/customers.js'
import { CARD_TOKEN_TYPES, type CardToken } from '../store/records.js'
import type { Service } from '../service.js'
import { isoTimestamp } from '../clock.js'

const PATH = '/api/v1.4/tokens/cards/'

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

const deleteBody = Type.Object({ customer: Type.String(), to_delete_customer_card_token: Type.String() })

/** Saved cards. */
export function cardTokens(app: App, service: Service): void {
  const operations = new Operations(app, withKey('account', service))

  operations.add(
    `GET ${PATH}:id/`,
    { id: 'getCardToken', summary: 'A card token', params: byId, data: cardTokenSchema },
    ({ params, maker }) => success(viewCardToken(getCardToken(service, maker, params.id, 'id'))),
  )

  operations.add(
    `POST ${PATH}delete/`,
    {
      id: 'deleteCardToken',
      summary: 'Delete a saved card',
      body: deleteBody,
      data: cardTokenSchema,
      refusals: [404],
    },
    ({ body: { customer, to_delete_customer_card_token: id }, maker: { scope } }) => {
      getCustomer(service, scope, customer, 'customer')
      const owner = { scope, customerId: customer }
      const token = getCardToken(service, owner, id, 'to_delete_customer_card_token')
      service.deleteCard(token)
      return success(viewCardToken(token))
    },
  )
}

export function viewCardToken(token: CardToken): Static<typeof cardTokenSchema> {
  return {
    id: token.id,
    customer: token.customerId,
    card_token_type: token.type,
    provider: token.providerId ?? null,
    brand: token.card.brand,
    last_four: token.card.lastFour,
    is_live: token.scope.isLive,
    created: isoTimestamp(token.created),
  }
}
