import Type from 'typebox'
import { cardTokenIntentSchema, viewCardTokenIntent } from '../../api/card-token-intents.js'
import { exactly, ref, text } from '../../schema.js'
import { STATUSES, type CardTokenIntent } from '../../store/records.js'
import { deliverySummarySchema } from '../delivery-view.js'
import { historyOfCardTokenIntent, historySchema, viewHistory } from './history.js'
import { deliveriesOf, viewNewest } from './intents.js'
import { liveFilter, oneOfFilter, type Kind } from './kind.js'

export const cardTokenIntentItemSchema = exactly({ ...cardTokenIntentSchema.properties, account: text })

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
  title: 'Card token intent',
  list: {
    id: 'listNewestCardTokenIntents',
    path: '/newest/card-token-intents/',
    summary: 'The card token intents of every account, newest first',
    schema: cardTokenIntentItemSchema,
  },
  detail: {
    id: 'getCardTokenIntentDetails',
    path: '/card-token-intents/:id/',
    summary: 'Card token intent, and what happened to it, in order',
    schema: ref(cardTokenIntentDetailSchema),
  },
  newestFirst: ({ store }) => store.newestFirst('card-intent'),
  find: ({ store }, id) => store.get('card-intent', id),
  filters: { is_live: liveFilter, status: oneOfFilter(STATUSES, ({ status }) => status) },
  searched: 'its ids and fields',
  textsOf: ({ id, customerId, cardTokenId, failure, webhookUrl }) => [
    id,
    customerId,
    cardTokenId,
    failure,
    webhookUrl,
  ],
  viewer: (_service, url) => (intent) => viewItem(url, intent),
  viewDetail(service, url, intent) {
    const sent = deliveriesOf(service, intent)
    return {
      ...viewItem(url, intent),
      deliveries: viewNewest(sent),
      history: viewHistory(historyOfCardTokenIntent(service, intent, sent)),
    }
  },
}

function viewItem(url: string, intent: CardTokenIntent) {
  return { ...viewCardTokenIntent(url, intent), account: intent.scope.accountId }
}
