import Type from 'typebox'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { cardTokenIntentSchema, viewCardTokenIntent } from '../intents/routes-view.js'
import { exactly, ref, text, textOrNull } from '../http/schema.js'
import type { Service } from '../deliveries/service.js'
import { CARDS, type CardToken } from '../cards/cards.js'
import { CARD_INTENTS, INTENTS, STATUSES, type CardTokenIntent } from '../intents/records.js'
import { deliverySummarySchema } from '../deliveries/routes-view.js'
import { charged, chargesOf, historySchema, saved, sent, viewHistory } from './history.js'
import { customerNameOf, deliveriesOf, viewNewest } from './routes-intents-list.js'
import { liveFilter, namedOperations, oneOfFilter, recordsOf, type Kind } from '../deliveries/kind.js'

export const cardTokenIntentItemSchema = exactly({
  ...cardTokenIntentSchema.properties,
  account: text,
  customer_name: textOrNull,
})

export const cardTokenIntentDetailSchema = exactly(
  {
    ...cardTokenIntentItemSchema.properties,
    deliveries: Type.Array(ref(deliverySummarySchema)),
    history: historySchema,
  },
  { $id: 'CardTokenIntentDetail' },
)

/** Intents that save a card without a payment. */
export const cardTokenIntents: Kind<CardTokenIntent> = {
  ...namedOperations('Card token intent', cardTokenIntentItemSchema, ref(cardTokenIntentDetailSchema)),
  ...recordsOf(CARD_INTENTS),
  filters: { is_live: liveFilter, status: oneOfFilter(STATUSES, ({ status }) => status) },
  searched: 'its ids and fields',
  textsOf: ({ id, customerId, cardTokenId, failure, webhookUrl }) => [
    id,
    customerId,
    cardTokenId,
    failure,
    webhookUrl,
  ],
  viewer: (service, url) => (intent) => viewIntentItem(service, url, intent),
  viewDetail(service, url, intent) {
    const deliveries = deliveriesOf(service, intent)
    const card = service.store.get(CARDS, intent.cardTokenId ?? '')
    return {
      ...viewIntentItem(service, url, intent),
      deliveries: viewNewest(service, deliveries),
      history: viewHistory([
        { at: intent.created, text: 'Created, to save a card' },
        ...(card === undefined ? [] : [saved(card)]),
        ...sent(service, deliveries),
      ]),
    }
  },
}

function viewIntentItem(service: Service, url: string, intent: CardTokenIntent) {
  return { ...viewCardTokenIntent(url, intent), ...ownerOf(service, intent) }
}

function ownerOf(service: Service, { scope, customerId }: CardToken | CardTokenIntent) {
  return { account: scope.accountId, customer_name: customerNameOf(service, customerId) }
}

export const cardItemSchema = exactly({
  ...cardTokenSchema.properties,
  account: text,
  customer_name: textOrNull,
})

export const cardDetailSchema = exactly(
  { ...cardItemSchema.properties, history: historySchema },
  { $id: 'CardTokenDetail' },
)

/** Saved cards. */
export const cardTokens: Kind<CardToken> = {
  ...namedOperations('Card token', cardItemSchema, ref(cardDetailSchema)),
  ...recordsOf(CARDS),
  filters: { is_live: liveFilter },
  searched: 'its ids and fields',
  textsOf: ({ id, customerId, type, providerId, card }) => [
    id,
    customerId,
    type,
    providerId,
    `${card.brand} ${card.lastFour}`,
  ],
  viewer: (service) => (token) => viewCardItem(service, token),
  viewDetail(service, _url, token) {
    const intents = service.store
      .list(INTENTS)
      .filter((intent) => (intent.paidCardTokenId ?? intent.cardTokenId) === token.id)
    const history = [saved(token), ...intents.flatMap(chargesOf).map(charged)]
    return { ...viewCardItem(service, token), history: viewHistory(history) }
  },
}

function viewCardItem(service: Service, token: CardToken) {
  return { ...viewCardToken(token), ...ownerOf(service, token) }
}
