import Type from 'typebox'
import { CARDS, cardTokensOf, type CardToken } from '../cards/cards.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { CUSTOMERS, type Customer } from '../customers/customers.js'
import { customerSchema, viewCustomer } from '../customers/routes.js'
import { groupBy, liveFilter, namedOperations, recordsOf, type Kind } from '../deliveries/kind.js'
import type { Service } from '../deliveries/service.js'
import { exactly, ref, text } from '../http/schema.js'
import { INTENTS } from '../intents/records.js'
import { chargesOf, intentSchema, viewIntent } from '../intents/routes-view.js'
import { AGREEMENTS } from './agreements.js'
import { agreementSchema, viewAgreement } from './routes-agreements-list.js'
import {
  charged,
  created,
  established,
  firstChargeOf,
  historySchema,
  saved,
  viewHistory,
} from './routes-history.js'
import { MAX_RELATED } from './routes-intents-list.js'

export const customerItemSchema = exactly({
  ...customerSchema.properties,
  account: text,
  cards: Type.Array(ref(cardTokenSchema)),
})

export const customerDetailSchema = exactly(
  {
    ...customerItemSchema.properties,
    intents: Type.Array(ref(intentSchema)),
    agreements: Type.Array(ref(agreementSchema)),
    history: historySchema,
  },
  { $id: 'CustomerDetail' },
)

/** The customers of merchants. */
export const customers: Kind<Customer> = {
  ...namedOperations('Customer', customerItemSchema, ref(customerDetailSchema)),
  ...recordsOf(CUSTOMERS),
  filters: { is_live: liveFilter },
  searched: 'its ids and fields',
  textsOf: ({ id, details, customFields }) => [
    id,
    `${details.first_name ?? ''} ${details.last_name ?? ''}`,
    details.email,
    details.phone_number,
    customFields,
  ],
  viewer(service) {
    const cards = groupBy(service.store.list(CARDS), ({ customerId }) => customerId)
    return (customer) => viewItem(service, customer, cards.get(customer.id) ?? [])
  },
  viewDetail(service, url, customer) {
    const { store } = service
    const cards = cardTokensOf(service, customer.id)
    const intents = store.newestFirst(INTENTS).filter(({ request }) => request.customer === customer.id)
    const agreements = store.newestFirst(AGREEMENTS).filter(({ customerId }) => customerId === customer.id)
    const firstCharges = agreements.flatMap((agreement) => firstChargeOf(service, agreement) ?? [])
    return {
      ...viewItem(service, customer, cards),
      intents: intents.slice(0, MAX_RELATED).map((intent) => viewIntent(service, url, intent)),
      agreements: agreements.slice(0, MAX_RELATED).map((each) => viewAgreement(service, each)),
      history: viewHistory([
        { at: customer.created, text: 'Customer created' },
        ...cards.map(saved),
        ...intents.reverse().flatMap((intent) => [created(intent), ...chargesOf(intent).map(charged)]),
        ...firstCharges.map(established),
      ]),
    }
  },
}

function viewItem(service: Service, customer: Customer, cards: readonly CardToken[]) {
  const view = viewCustomer(service, customer, cards)
  return { ...view, account: customer.scope.accountId, cards: cards.map(viewCardToken) }
}
