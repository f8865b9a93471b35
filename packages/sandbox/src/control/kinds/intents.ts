import Type from 'typebox'
import { intentSchema, viewIntent } from '../../api/intent-view.js'
import { transactionSchema, viewWithIntent } from '../../api/transactions.js'
import { findAgreement } from '../../model/agreements.js'
import { searchableAmount } from '../../model/amounts.js'
import { exactly, orNull, ref, text } from '../../schema.js'
import type { Service } from '../../service.js'
import { STATUSES, type Delivery, type Intent } from '../../store/records.js'
import { deliverySummaries, deliverySummarySchema } from '../delivery-view.js'
import {
  charged,
  chargesOf,
  created,
  established,
  firstChargeOf,
  historySchema,
  saved,
  sent,
  viewHistory,
} from './history.js'
import { liveFilter, namedOperations, oneOfFilter, recordsOf, type Kind } from './kind.js'

/** How many related items are shown with an item: the newest ones. */
export const MAX_RELATED = 500

const intentItemSchema = exactly({ ...intentSchema.properties, account: text })

export const intentDetailSchema = exactly(
  {
    ...intentItemSchema.properties,
    agreement: orNull(text, { description: 'The address of its agreement among the agreements' }),
    transactions: Type.Array(ref(transactionSchema)),
    deliveries: Type.Array(ref(deliverySummarySchema)),
    history: historySchema,
  },
  { $id: 'IntentDetail' },
)

/** Payments. */
export const intents: Kind<Intent> = {
  ...namedOperations('Intent', intentItemSchema, ref(intentDetailSchema)),
  ...recordsOf('intent'),
  filters: { is_live: liveFilter, status: oneOfFilter(STATUSES, ({ status }) => status) },
  searched: 'its ids and fields',
  textsOf: (intent) => [
    intent.id,
    searchableAmount(intent.amount, intent.currency),
    intent.customerId,
    intent.paidCardTokenId ?? intent.cardTokenId,
    intent.agreementId,
    intent.failure,
    intent.webhookUrl,
    intent.customFields,
  ],
  viewer: (service, url) => (intent) => viewItem(service, url, intent),
  viewDetail(service, url, intent) {
    const deliveries = deliveriesOf(service, intent)
    const card = service.store.get('card', intent.paidCardTokenId ?? '')
    // A card that was chosen is older than the charge.
    const isNew = card !== undefined && card.created >= intent.transactions.at(-1)!.created
    const first = firstChargeOf(service, intent)
    return {
      ...viewItem(service, url, intent),
      agreement: agreementOf(service, intent),
      transactions: intent.transactions.map((transaction) => viewWithIntent(intent, transaction)),
      deliveries: viewNewest(service, deliveries),
      history: viewHistory([
        created(intent),
        ...chargesOf(intent).map(charged),
        ...(isNew ? [saved(card)] : []),
        ...(first?.intent === intent ? [established(first)] : []),
        ...sent(service, deliveries),
      ]),
    }
  },
}

function viewItem(service: Service, url: string, intent: Intent) {
  return { ...viewIntent(service, url, intent), account: intent.scope.accountId }
}

function agreementOf(service: Service, { agreementId, scope }: Intent): string | null {
  if (agreementId === undefined) return null
  return findAgreement(service, scope, agreementId)?.id ?? null
}

/** The deliveries that an intent led to, the oldest first. */
export function deliveriesOf({ store }: Service, { id }: { readonly id: string }): readonly Delivery[] {
  return store.list('delivery').filter(({ intentId }) => intentId === id)
}

export function viewNewest(service: Service, deliveries: readonly Delivery[]) {
  return deliveries.slice(-MAX_RELATED).reverse().map(deliverySummaries(service))
}
