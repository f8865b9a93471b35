import { cardTokenSchema, viewCardToken } from '../../api/card-tokens.js'
import { exactly, ref, text } from '../../schema.js'
import type { CardToken } from '../../store/records.js'
import { historyOfCard, historySchema, viewHistory } from './history.js'
import { liveFilter, type Kind } from './kind.js'

const cardItemSchema = exactly({ ...cardTokenSchema.properties, account: text })

export const cardDetailSchema = exactly(
  { ...cardItemSchema.properties, history: historySchema },
  { $id: 'CardTokenDetail' },
)

/** Saved cards. */
export const cardTokens: Kind<CardToken> = {
  title: 'Card token',
  list: {
    id: 'listNewestCardTokens',
    path: '/newest/card-tokens/',
    summary: 'The card tokens of every account, newest first',
    schema: cardItemSchema,
  },
  detail: {
    id: 'getCardTokenDetails',
    path: '/card-tokens/:id/',
    summary: 'Card token, and what happened to it, in order',
    schema: ref(cardDetailSchema),
  },
  newestFirst: ({ store }) => store.newestFirst('card'),
  find: ({ store }, id) => store.get('card', id),
  filters: { is_live: liveFilter },
  searched: 'its ids and fields',
  textsOf: ({ id, customerId, type, providerId, card }) => [
    id,
    customerId,
    type,
    providerId,
    `${card.brand} ${card.lastFour}`,
  ],
  viewer: () => viewItem,
  viewDetail(service, _url, token) {
    const charged = service.store
      .list('intent')
      .filter((intent) => (intent.paidCardTokenId ?? intent.cardTokenId) === token.id)
    return { ...viewItem(token), history: viewHistory(historyOfCard(token, charged)) }
  },
}

function viewItem(token: CardToken) {
  return { ...viewCardToken(token), account: token.scope.accountId }
}
