import { transactionSchema, viewWithIntent } from '../api/transactions.js'
import type { App } from '../http/operation.js'
import { searchableAmount } from '../model/amounts.js'
import {
  STATUSES,
  type Agreement,
  type CardToken,
  type CardTokenIntent,
  type Customer,
  type Intent,
} from '../model/entities.js'
import { ref } from '../schema.js'
import type { Service } from '../service.js'
import { addKind, type Kind } from './entity-list.js'
import {
  agreementDetailSchema,
  agreementSchema,
  cardDetailSchema,
  cardItemSchema,
  cardTokenIntentDetailSchema,
  cardTokenIntentItemSchema,
  customerDetailSchema,
  customerItemSchema,
  intentDetailSchema,
  intentItemSchema,
  keyOf,
  transactionDetailSchema,
  viewAgreement,
  viewAgreementDetail,
  viewCardDetail,
  viewCardItem,
  viewCardTokenIntentDetail,
  viewCardTokenIntentItem,
  viewCustomerDetail,
  viewCustomerItem,
  viewIntentDetail,
  viewIntentItem,
  viewTransactionDetail,
} from './entity-views.js'
import { chargesOf, type Charge } from './history.js'

/** Lists of everything that there is, of all accounts and both modes, and what happened to each item. */
export function entities(app: App, service: Service): void {
  addKind(app, service, INTENTS)
  addKind(app, service, TRANSACTIONS)
  addKind(app, service, CUSTOMERS)
  addKind(app, service, CARD_TOKENS)
  addKind(app, service, CARD_TOKEN_INTENTS)
  addKind(app, service, AGREEMENTS)
}

const INTENTS: Kind<Intent> = {
  name: 'intents',
  title: 'Intent',
  item: intentItemSchema,
  detail: ref(intentDetailSchema),
  statuses: STATUSES,
  newestFirst: ({ intents }) => intents.newestFirst(),
  find: ({ intents }, id) => intents.get(id),
  scopeOf: ({ scope }) => scope,
  statusOf: ({ status }) => status,
  textsOf: (intent) => [
    intent.id,
    searchableAmount(intent.amount, intent.currency),
    intent.customerId,
    intent.paidCardTokenId ?? intent.cardTokenId,
    intent.agreementId,
    intent.failure,
    intent.webhookUrl,
    JSON.stringify(intent.customFields),
  ],
  viewer:
    ({ state }, url) =>
    (intent) =>
      viewIntentItem(state, url, intent),
  viewDetail: viewIntentDetail,
}

const TRANSACTIONS: Kind<Charge> = {
  name: 'transactions',
  title: 'Transaction',
  item: ref(transactionSchema),
  detail: ref(transactionDetailSchema),
  statuses: ['SUCCESSFUL', 'FAILED'],
  newestFirst: ({ intents }) =>
    [...intents.newestFirst()]
      .flatMap((intent) => [...chargesOf(intent)].reverse())
      .sort((a, b) => b.transaction.created - a.transaction.created),
  find: ({ intents }, id) =>
    [...intents.newestFirst()].flatMap(chargesOf).find(({ transaction }) => transaction.id === id),
  scopeOf: ({ intent }) => intent.scope,
  statusOf: ({ transaction }) => (transaction.failure === undefined ? 'SUCCESSFUL' : 'FAILED'),
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
  viewDetail: (service, _url, charge) => viewTransactionDetail(service, charge),
}

const CUSTOMERS: Kind<Customer> = {
  name: 'customers',
  title: 'Customer',
  item: customerItemSchema,
  detail: ref(customerDetailSchema),
  newestFirst: ({ customers }) => customers.newestFirst(),
  find: ({ customers }, id) => customers.get(id),
  scopeOf: ({ scope }) => scope,
  textsOf: ({ id, details: { custom_fields, ...names } }) => [
    id,
    `${names.first_name ?? ''} ${names.last_name ?? ''}`,
    names.email,
    names.phone_number,
    custom_fields && JSON.stringify(custom_fields),
  ],
  viewer({ state }) {
    const cards = cardsByCustomer(state.cardTokens.values())
    return (customer) => viewCustomerItem(state, customer, cards.get(customer.id) ?? [])
  },
  viewDetail: viewCustomerDetail,
}

const CARD_TOKENS: Kind<CardToken> = {
  name: 'card-tokens',
  title: 'Card token',
  item: cardItemSchema,
  detail: ref(cardDetailSchema),
  newestFirst: ({ cardTokens }) => cardTokens.newestFirst(),
  find: ({ cardTokens }, id) => cardTokens.get(id),
  scopeOf: ({ scope }) => scope,
  textsOf: ({ id, customerId, type, providerId, brand, lastFour }) => [
    id,
    customerId,
    type,
    providerId,
    `${brand} ${lastFour}`,
  ],
  viewer: () => viewCardItem,
  viewDetail: (service, _url, card) => viewCardDetail(service, card),
}

const CARD_TOKEN_INTENTS: Kind<CardTokenIntent> = {
  name: 'card-token-intents',
  title: 'Card token intent',
  item: cardTokenIntentItemSchema,
  detail: ref(cardTokenIntentDetailSchema),
  statuses: STATUSES,
  newestFirst: ({ cardTokenIntents }) => cardTokenIntents.newestFirst(),
  find: ({ cardTokenIntents }, id) => cardTokenIntents.get(id),
  scopeOf: ({ scope }) => scope,
  statusOf: ({ status }) => status,
  textsOf: ({ id, customerId, cardTokenId, failure, webhookUrl }) => [
    id,
    customerId,
    cardTokenId,
    failure,
    webhookUrl,
  ],
  viewer: (_service, url) => (intent) => viewCardTokenIntentItem(url, intent),
  viewDetail: viewCardTokenIntentDetail,
}

const AGREEMENTS: Kind<Agreement> = {
  name: 'agreements',
  title: 'Agreement',
  item: ref(agreementSchema),
  detail: ref(agreementDetailSchema),
  newestFirst: ({ agreements }) => agreements.newestFirst(),
  // The path is decoded once. A caller may have encoded the key once more.
  find: ({ agreements }, key) =>
    [...agreements.values()].find((agreement) => [keyOf(agreement), decodedKey(agreement)].includes(key)),
  scopeOf: ({ scope }) => scope,
  textsOf: ({ id, customerId, cardTokenId, card }) => [
    id,
    customerId,
    cardTokenId,
    `${card.brand} ${card.lastFour}`,
  ],
  viewer:
    ({ state }) =>
    (agreement) =>
      viewAgreement(state, agreement),
  viewDetail: (service, _url, agreement) => viewAgreementDetail(service, agreement),
}

function decodedKey(agreement: Agreement): string {
  return decodeURIComponent(keyOf(agreement))
}

function cardsByCustomer(cards: Iterable<CardToken>): ReadonlyMap<string, readonly CardToken[]> {
  const byCustomer = new Map<string, CardToken[]>()
  for (const card of cards) {
    const others = byCustomer.get(card.customerId)
    if (others === undefined) byCustomer.set(card.customerId, [card])
    else others.push(card)
  }
  return byCustomer
}
