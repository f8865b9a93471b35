import { transactionSchema, viewWithIntent } from './routes-transactions.js'
import { searchableAmount } from '../intents/amounts.js'
import { exactly, ref } from '../http/schema.js'
import type { Service } from '../deliveries/service.js'
import { charged, chargesOf, created, historySchema, sent, viewHistory, type Charge } from './history.js'
import { liveFilter, namedOperations, oneOfFilter, type Kind } from '../deliveries/kind.js'
import { DELIVERIES } from '../deliveries/records.js'
import { INTENTS } from '../intents/records.js'

export const transactionDetailSchema = exactly(
  { ...transactionSchema.properties, history: historySchema },
  { $id: 'TransactionDetail' },
)

/** Tries to pay an intent. */
export const transactions: Kind<Charge> = {
  ...namedOperations('Transaction', ref(transactionSchema), ref(transactionDetailSchema)),
  newestFirst,
  find: (service, id) => newestFirst(service).find((charge) => charge.id === id),
  filters: {
    is_live: liveFilter,
    status: oneOfFilter(['SUCCESSFUL', 'FAILED'], ({ transaction: { failure } }) =>
      failure === undefined ? 'SUCCESSFUL' : 'FAILED',
    ),
  },
  searched: 'its ids and fields',
  textsOf: ({ intent, transaction: { id, providerId, failure } }) => [
    id,
    intent.id,
    searchableAmount(intent.amount, intent.currency),
    providerId,
    failure,
  ],
  viewer:
    () =>
    ({ intent, transaction }) =>
      viewWithIntent(intent, transaction),
  viewDetail(service, _url, charge) {
    const { intent, transaction } = charge
    const deliveries = service.store.list(DELIVERIES).filter((each) => each.transactionId === transaction.id)
    return {
      ...viewWithIntent(intent, transaction),
      history: viewHistory([created(intent), charged(charge), ...sent(service, deliveries)]),
    }
  },
}

function newestFirst({ store }: Service): readonly Charge[] {
  const charges: Charge[] = []
  for (const intent of store.list(INTENTS)) charges.push(...chargesOf(intent))
  return charges.sort((a, b) => a.transaction.created - b.transaction.created).reverse()
}
