import Type from 'typebox'
import { CARDS, type CardToken } from '../cards/cards.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { liveFilter, namedOperations, oneOfFilter, recordsOf, type Kind } from '../deliveries/kind.js'
import { deliverySummarySchema } from '../deliveries/routes-view.js'
import type { Service } from '../deliveries/service.js'
import { exactly, ref, text, textOrNull } from '../http/schema.js'
import { CARD_INTENTS, INTENTS, STATUSES, type CardTokenIntent } from '../intents/records.js'
import {
  cardTokenIdOf,
  cardTokenIntentSchema,
  chargesOf,
  viewCardTokenIntent,
} from '../intents/routes-view.js'
import { charged, historySchema, saved, sent, viewHistory } from './routes-history.js'
import { customerNameOf, deliveriesOf, viewNewest } from './routes-intents-list.js'

const owner = { account: text, customer_name: textOrNull }

export const cardTokenIntentItemSchema = exactly({ ...cardTokenIntentSchema.properties, ...owner })

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
  textsOf: ({ id, request, paidCardTokenId, failure }) => [
    id,
    request.customer,
    paidCardTokenId,
    failure,
    request.webhook_url,
  ],
  viewer: (service, url) => (intent) => viewIntentItem(service, url, intent),
  viewDetail(service, url, intent) {
    const deliveries = deliveriesOf(service, intent)
    const card = service.store.get(CARDS, intent.paidCardTokenId ?? '')
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
  const customerName = customerNameOf(service, intent.request.customer)
  return {
    ...viewCardTokenIntent(url, intent),
    account: intent.scope.accountId,
    customer_name: customerName,
  }
}

export const cardItemSchema = exactly({ ...cardTokenSchema.properties, ...owner })

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
    const intents = service.store.list(INTENTS).filter((intent) => cardTokenIdOf(intent) === token.id)
    const history = viewHistory([saved(token), ...intents.flatMap(chargesOf).map(charged)])
    return { ...viewCardItem(service, token), history }
  },
}

function viewCardItem(service: Service, token: CardToken) {
  const customerName = customerNameOf(service, token.customerId)
  return { ...viewCardToken(token), account: token.scope.accountId, customer_name: customerName }
}
