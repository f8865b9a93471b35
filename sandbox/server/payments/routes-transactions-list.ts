import type { Scope } from '../accounts/records.js'
import { liveFilter, namedOperations, oneOfFilter, type Kind } from '../deliveries/kind.js'
import { DELIVERIES } from '../deliveries/records.js'
import type { Service } from '../deliveries/service.js'
import { exactly, ref } from '../http/schema.js'
import { searchableAmount } from '../intents/amounts.js'
import { INTENTS } from '../intents/records.js'
import { chargesOf, transactionSchema, viewCharge, type Charge } from '../intents/routes-view.js'
import { charged, created, historySchema, sent, viewHistory } from './routes-history.js'

interface ListedCharge extends Charge {
  /** That of the transaction. */
  readonly id: string
  readonly scope: Scope
}

export const transactionDetailSchema = exactly(
  { ...transactionSchema.properties, history: historySchema },
  { $id: 'TransactionDetail' },
)

/** Tries to pay an intent. */
export const transactions: Kind<ListedCharge> = {
  ...namedOperations('Transaction', ref(transactionSchema), ref(transactionDetailSchema)),
  newestFirst,
  find: (service, id) => newestFirst(service).find((charge) => charge.id === id),
  filters: {
    is_live: liveFilter,
    status: oneOfFilter(['SUCCESSFUL', 'FAILED'], (charge) => viewCharge(charge).status),
  },
  searched: 'its ids and fields',
  textsOf: ({ id, intent, transaction }) => [
    id,
    intent.id,
    searchableAmount(intent.request.amount, intent.request.amount_currency),
    transaction.providerId,
    transaction.failure,
  ],
  viewer: () => viewCharge,
  viewDetail(service, _url, charge) {
    const deliveries = service.store.list(DELIVERIES).filter((each) => each.transactionId === charge.id)
    return {
      ...viewCharge(charge),
      history: viewHistory([created(charge.intent), charged(charge), ...sent(service, deliveries)]),
    }
  },
}

function newestFirst({ store }: Service): readonly ListedCharge[] {
  return store
    .list(INTENTS)
    .flatMap(chargesOf)
    .map((charge) => ({ ...charge, id: charge.transaction.id, scope: charge.intent.scope }))
    .sort((a, b) => a.transaction.created - b.transaction.created)
    .reverse()
}
