import Type from 'typebox'
import { CARDS } from '../cards/cards.js'
import { CUSTOMERS } from '../customers/customers.js'
import {
  groupBy,
  liveFilter,
  namedOperations,
  oneOfFilter,
  recordsOf,
  type Kind,
} from '../deliveries/kind.js'
import { DELIVERIES, type Delivery } from '../deliveries/records.js'
import { deliverySummaries, deliverySummarySchema } from '../deliveries/routes-view.js'
import type { Service } from '../deliveries/service.js'
import { verdictOf } from '../deliveries/verdict.js'
import { exactly, orNull, ref, text, textOrNull, whole } from '../http/schema.js'
import { searchableAmount } from '../intents/amounts.js'
import { INTENTS, STATUSES, type Intent } from '../intents/records.js'
import {
  cardTokenIdOf,
  chargesOf,
  intentSchema,
  transactionSchema,
  viewCharge,
  viewIntent,
} from '../intents/routes-view.js'
import { findAgreement } from './agreements.js'
import {
  charged,
  created,
  established,
  firstChargeOf,
  historySchema,
  saved,
  sent,
  viewHistory,
} from './routes-history.js'

/** How many related items are shown with an item: the newest ones. */
export const MAX_RELATED = 500

export const intentItemSchema = exactly({
  ...intentSchema.properties,
  account: text,
  reference: orNull(text, { description: 'The "reference" of its custom fields' }),
  customer_name: textOrNull,
  delivery_health: exactly(
    { total: whole, delivered: whole, failed: whole, forgeries_accepted: whole },
    {
      description:
        'How many deliveries it led to; a delivery that is still retried after a failure counts as failed',
    },
  ),
})

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
  ...recordsOf(INTENTS),
  filters: { is_live: liveFilter, status: oneOfFilter(STATUSES, ({ status }) => status) },
  searched: 'its ids and fields',
  textsOf: (intent) => [
    intent.id,
    searchableAmount(intent.request.amount, intent.request.amount_currency),
    intent.request.customer,
    cardTokenIdOf(intent),
    intent.request.agreement_id,
    intent.failure,
    intent.request.webhook_url,
    intent.customFields,
  ],
  viewer(service, url) {
    const deliveries = groupBy(service.store.list(DELIVERIES), ({ intentId = '' }) => intentId)
    return (intent) => viewItem(service, url, intent, deliveries.get(intent.id) ?? [])
  },
  viewDetail(service, url, intent) {
    const deliveries = deliveriesOf(service, intent)
    const card = service.store.get(CARDS, intent.paidCardTokenId ?? '')
    // A card that was chosen is older than the charge.
    const isNew = card !== undefined && card.created >= intent.transactions.at(-1)!.created
    const { agreement_id } = intent.request
    const agreement = agreement_id && findAgreement(service, intent.scope, agreement_id)
    const first = agreement && firstChargeOf(service, agreement)
    const charges = chargesOf(intent)
    return {
      ...viewItem(service, url, intent, deliveries),
      agreement: agreement ? agreement.id : null,
      transactions: charges.map(viewCharge),
      deliveries: viewNewest(service, deliveries),
      history: viewHistory([
        created(intent),
        ...charges.map(charged),
        ...(isNew ? [saved(card)] : []),
        ...(first && first.intent === intent ? [established(first)] : []),
        ...sent(service, deliveries),
      ]),
    }
  },
}

function viewItem(service: Service, url: string, intent: Intent, deliveries: readonly Delivery[]) {
  const view = viewIntent(service, url, intent)
  const { reference } = { ...view.custom_fields } as { readonly reference?: unknown }
  return {
    ...view,
    account: intent.scope.accountId,
    reference: typeof reference === 'string' || typeof reference === 'number' ? String(reference) : null,
    customer_name: customerNameOf(service, intent.request.customer),
    delivery_health: healthOf(deliveries),
  }
}

/** The name of a customer, or else the e-mail address, or else null. */
export function customerNameOf({ store }: Service, id = ''): string | null {
  const { first_name, last_name, email } = store.get(CUSTOMERS, id)?.details ?? {}
  return [first_name, last_name].filter(Boolean).join(' ') || (email ?? null)
}

function healthOf(deliveries: readonly Delivery[]) {
  const health = { total: deliveries.length, delivered: 0, failed: 0, forgeries_accepted: 0 }
  for (const { status, attempts } of deliveries) {
    if (status === 'delivered') health.delivered++
    else if (status !== 'pending' || attempts.length > 0) health.failed++
    for (const attempt of attempts) if (verdictOf(attempt) === 'accepted-forgery') health.forgeries_accepted++
  }
  return health
}

/** The deliveries that an intent led to, the oldest first. */
export function deliveriesOf({ store }: Service, { id }: { readonly id: string }): readonly Delivery[] {
  return store.list(DELIVERIES).filter(({ intentId }) => intentId === id)
}

export function viewNewest(service: Service, deliveries: readonly Delivery[]) {
  return deliveries.slice(-MAX_RELATED).reverse().map(deliverySummaries(service))
}
