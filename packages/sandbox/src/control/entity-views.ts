import Type, { type Static } from 'typebox'
import { cardTokenIntentSchema, viewCardTokenIntent } from '../api/card-token-intents.js'
import { cardTokenSchema, viewCardToken } from '../api/card-tokens.js'
import { customerFields, viewCustomer } from '../api/customers.js'
import { intentSchema, viewIntent } from '../api/intent-view.js'
import { transactionSchema, viewWithIntent } from '../api/transactions.js'
import type { Delivery } from '../deliveries/delivery.js'
import { isCovered } from '../model/agreements.js'
import { cardTokensOf } from '../model/card-tokens.js'
import {
  type Agreement,
  type CardToken,
  type CardTokenIntent,
  type Customer,
  type Intent,
} from '../model/entities.js'
import type { State } from '../model/state.js'
import { exactly, flag, ref, text, textOrNull } from '../schema.js'
import type { Service } from '../service.js'
import { deliverySummarySchema, viewDeliverySummary } from './delivery-view.js'
import {
  firstChargeOf,
  historyOfAgreement,
  historyOfCard,
  historyOfCardTokenIntent,
  historyOfCustomer,
  historyOfIntent,
  historyOfTransaction,
  historySchema,
  intentsOfAgreement,
  viewHistory,
  type Charge,
} from './history.js'

/** How many related items are shown with an item: the newest ones. */
const MAX_RELATED = 500

const account = { account: text }
const history = { history: historySchema }

export const intentItemSchema = exactly({ ...intentSchema.properties, ...account })

export const intentDetailSchema = exactly(
  {
    ...intentItemSchema.properties,
    transactions: Type.Array(ref(transactionSchema)),
    deliveries: Type.Array(ref(deliverySummarySchema)),
    ...history,
  },
  { $id: 'IntentDetail' },
)

export const transactionDetailSchema = exactly(
  { ...transactionSchema.properties, ...history },
  { $id: 'TransactionDetail' },
)

export const cardItemSchema = exactly({ ...cardTokenSchema.properties, ...account })

export const cardDetailSchema = exactly(
  { ...cardItemSchema.properties, ...history },
  { $id: 'CardTokenDetail' },
)

export const cardTokenIntentItemSchema = exactly({ ...cardTokenIntentSchema.properties, ...account })

export const cardTokenIntentDetailSchema = exactly(
  { ...cardTokenIntentItemSchema.properties, deliveries: Type.Array(ref(deliverySummarySchema)), ...history },
  { $id: 'CardTokenIntentDetail' },
)

export const agreementSchema = exactly(
  {
    key: Type.String({ description: 'Its address: account, live or test, and agreement id' }),
    agreement_id: text,
    ...account,
    is_live: flag,
    customer: text,
    card_token: textOrNull,
    brand: text,
    last_four: text,
    providers: Type.Array(text, { description: 'The providers that cover it' }),
  },
  { $id: 'Agreement' },
)

export const agreementDetailSchema = exactly(
  { ...agreementSchema.properties, ...history },
  { $id: 'AgreementDetail' },
)

export const customerItemSchema = exactly({
  ...customerFields,
  ...account,
  cards: Type.Array(ref(cardTokenSchema)),
})

export const customerDetailSchema = exactly(
  {
    ...customerItemSchema.properties,
    intents: Type.Array(ref(intentSchema)),
    agreements: Type.Array(ref(agreementSchema)),
    ...history,
  },
  { $id: 'CustomerDetail' },
)

export function viewIntentItem(state: State, url: string, intent: Intent) {
  return { ...viewIntent(state, url, intent), account: intent.scope.accountId }
}

export function viewIntentDetail({ state, deliveries }: Service, url: string, intent: Intent) {
  const sent = deliveriesOf(deliveries.newestFirst(), intent.id)
  return {
    ...viewIntentItem(state, url, intent),
    transactions: intent.transactions.map((transaction) => viewWithIntent(intent, transaction)),
    deliveries: sent.slice(0, MAX_RELATED).map(viewDeliverySummary),
    history: viewHistory(historyOfIntent(state, intent, sent.reverse())),
  }
}

export function viewTransactionDetail({ deliveries }: Service, charge: Charge) {
  const { intent, transaction } = charge
  const sent = deliveriesOf(deliveries.newestFirst(), intent.id).filter(
    ({ type, body }) =>
      body.includes(transaction.id) &&
      // The event of the paid intent lists the transactions that failed before, too.
      (transaction.failure === undefined || type.startsWith('transaction.')),
  )
  return {
    ...viewWithIntent(intent, transaction),
    history: viewHistory(historyOfTransaction(charge, sent.reverse())),
  }
}

export function viewCardItem(card: CardToken) {
  return { ...viewCardToken(card), account: card.scope.accountId }
}

export function viewCardDetail({ state }: Service, card: CardToken) {
  const charged = [...state.intents.values()].filter(
    (intent) => (intent.paidCardTokenId ?? intent.cardTokenId) === card.id,
  )
  return { ...viewCardItem(card), history: viewHistory(historyOfCard(card, charged)) }
}

export function viewCardTokenIntentItem(url: string, intent: CardTokenIntent) {
  return { ...viewCardTokenIntent(url, intent), account: intent.scope.accountId }
}

export function viewCardTokenIntentDetail(
  { state, deliveries }: Service,
  url: string,
  intent: CardTokenIntent,
) {
  const sent = deliveriesOf(deliveries.newestFirst(), intent.id)
  return {
    ...viewCardTokenIntentItem(url, intent),
    deliveries: sent.slice(0, MAX_RELATED).map(viewDeliverySummary),
    history: viewHistory(historyOfCardTokenIntent(state, intent, sent.reverse())),
  }
}

export function viewCustomerItem(state: State, customer: Customer, cards: readonly CardToken[]) {
  return {
    ...viewCustomer(state, customer, cards),
    account: customer.scope.accountId,
    cards: cards.map(viewCardToken),
  }
}

export function viewCustomerDetail({ state }: Service, url: string, customer: Customer) {
  const cards = cardTokensOf(state, customer.id)
  const intents = [...state.intents.newestFirst()].filter(({ customerId }) => customerId === customer.id)
  const agreements = [...state.agreements.newestFirst()].filter(
    ({ customerId }) => customerId === customer.id,
  )
  const firstCharges = agreements.flatMap(
    ({ scope, id }) => firstChargeOf(state, { scope, agreementId: id }) ?? [],
  )
  return {
    ...viewCustomerItem(state, customer, cards),
    intents: intents.slice(0, MAX_RELATED).map((intent) => viewIntent(state, url, intent)),
    agreements: agreements.slice(0, MAX_RELATED).map((agreement) => viewAgreement(state, agreement)),
    history: viewHistory(historyOfCustomer(customer, cards, intents.reverse(), firstCharges)),
  }
}

export function viewAgreement(state: State, agreement: Agreement): Static<typeof agreementSchema> {
  const { id, scope, customerId, cardTokenId, card } = agreement
  return {
    key: keyOf(agreement),
    agreement_id: id,
    account: scope.accountId,
    is_live: scope.isLive,
    customer: customerId,
    card_token: cardTokenId ?? null,
    brand: card.brand,
    last_four: card.lastFour,
    providers: state.providers
      .filter((provider) => isCovered(provider, scope, id))
      .map((provider) => provider.id),
  }
}

/** The address of an agreement: its id may be any text, and is that of another one in another account or mode. */
export function keyOf({ id, scope }: Agreement): string {
  // Half of a surrogate pair has no encoding.
  const encoded = encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'))
  return `${scope.accountId}~${scope.isLive ? 'live' : 'test'}~${encoded}`
}

export function viewAgreementDetail({ state }: Service, agreement: Agreement) {
  const { scope, id } = agreement
  const first = firstChargeOf(state, { scope, agreementId: id })
  return {
    ...viewAgreement(state, agreement),
    history: viewHistory(historyOfAgreement(first, intentsOfAgreement(state, agreement))),
  }
}

function deliveriesOf(newestFirst: Iterable<Delivery>, intentId: string): Delivery[] {
  return [...newestFirst].filter((delivery) => delivery.intentId === intentId)
}
