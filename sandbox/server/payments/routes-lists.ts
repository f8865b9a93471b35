import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { answer } from '../accounts/answer.js'
import type { Scope } from '../accounts/records.js'
import { CARDS, type CardToken } from '../cards/cards.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { CUSTOMERS, type Customer } from '../customers/customers.js'
import { customerSchema, viewCustomer } from '../customers/routes.js'
import {
  addKind,
  liveFilter,
  namedOperations,
  oneOfFilter,
  recordsOf,
  type Kind,
} from '../deliveries/kind.js'
import type { Service } from '../deliveries/service.js'
import type { App } from '../http/operation.js'
import { exactly, flag, ref, text, textOrNull } from '../http/schema.js'
import { searchableAmount } from '../intents/amounts.js'
import { CARD_INTENTS, INTENTS, STATUSES, type CardTokenIntent, type Intent } from '../intents/records.js'
import {
  cardTokenIntentSchema,
  chargesOf,
  intentSchema,
  transactionSchema,
  viewCardTokenIntent,
  viewCharge,
  viewIntent,
  type Charge,
} from '../intents/routes-view.js'
import { AGREEMENTS, type Agreement } from './agreements.js'
import { historyOf, historySchema } from './routes-history.js'

/** What the items of each list have. */
interface Listed {
  readonly id: string
  readonly scope: Scope
}

interface List<Item extends Listed> extends Partial<Pick<Kind<Item>, 'filters' | 'textsOf'>> {
  readonly title: string
  /** Of an item, and of its page if that has more. */
  readonly schemas: readonly [item: TSchema, detail?: TSchema]
  readonly records: Pick<Kind<Item>, 'newestFirst' | 'find'>
  readonly view: (item: Item, service: Service, url: string) => object
  /** What its page has besides. */
  readonly more?: (item: Item, service: Service) => object
  readonly customerOf: (item: Item) => string | undefined
}

/** A list of all accounts and both modes, and a page for each item. */
function listOf<Item extends Listed>(list: List<Item>): Kind<Item> {
  const { schemas, records, filters, view, more, customerOf } = list
  const { title, textsOf = (item) => [textsIn(item)] } = list
  const [item, detail = item] = schemas
  const viewer = (service: Service, url: string) => (one: Item) => ({
    ...view(one, service, url),
    account: one.scope.accountId,
    customer_name: customerNameOf(service, customerOf(one)),
  })
  return {
    ...namedOperations(title, ref(item), ref(detail)),
    ...records,
    filters: { is_live: liveFilter, ...filters },
    searched: 'its ids and fields',
    textsOf,
    viewer,
    viewDetail: (service, url, one) => ({ ...viewer(service, url)(one), ...more?.(one, service) }),
  }
}

/** What the items of a list have besides their answers of the API. */
function itemSchema<Properties extends TProperties>({ properties }: TObject<Properties>, $id: string) {
  return exactly({ ...properties, account: text, customer_name: textOrNull }, { $id })
}

/** The name of a customer, or else the e-mail address, or else null. */
function customerNameOf({ store }: Service, id = ''): string | null {
  const { first_name, last_name, email } = store.get(CUSTOMERS, id)?.details ?? {}
  return [first_name, last_name].filter(Boolean).join(' ') || (email ?? null)
}

/** Every text of a record, in one, so that "Jane Doe" and "Visa 4242" are found. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? Object.values(value).map(textsIn).join(' ') : ''
}

function amountIn({ request }: Intent): string {
  return searchableAmount(request.amount, request.amount_currency)
}

const statusFilter = oneOfFilter<Intent | CardTokenIntent>(STATUSES, ({ status }) => status)

export const intentItemSchema = itemSchema(intentSchema, 'IntentItem')
export const intentDetailSchema = exactly(
  { ...intentItemSchema.properties, history: historySchema },
  { $id: 'IntentDetail' },
)

const intents = listOf<Intent>({
  title: 'Intent',
  schemas: [intentItemSchema, intentDetailSchema],
  records: recordsOf(INTENTS),
  filters: { status: statusFilter },
  textsOf: (intent) => [textsIn(intent), amountIn(intent)],
  view: (intent, service, url) => viewIntent(service, url, intent),
  more: (intent, service) => ({ history: historyOf(service, intent) }),
  customerOf: ({ request }) => request.customer,
})

export const transactionItemSchema = itemSchema(transactionSchema, 'TransactionItem')

type Transaction = Charge & Listed

const transactions = listOf<Transaction>({
  title: 'Transaction',
  schemas: [transactionItemSchema],
  records: {
    newestFirst: chargesNewestFirst,
    find: (service, id) => chargesNewestFirst(service).find((charge) => charge.id === id),
  },
  filters: { status: oneOfFilter(['SUCCESSFUL', 'FAILED'], (charge: Charge) => viewCharge(charge).status) },
  textsOf: ({ intent, transaction }) => [textsIn(transaction), intent.id, amountIn(intent)],
  view: viewCharge,
  customerOf: ({ intent }) => intent.request.customer,
})

function chargesNewestFirst({ store }: Service): readonly Transaction[] {
  return store
    .list(INTENTS)
    .flatMap(chargesOf)
    .map((charge) => ({ ...charge, id: charge.transaction.id, scope: charge.intent.scope }))
    .sort((a, b) => a.transaction.created - b.transaction.created)
    .reverse()
}

export const customerItemSchema = itemSchema(customerSchema, 'CustomerItem')

const customers = listOf<Customer>({
  title: 'Customer',
  schemas: [customerItemSchema],
  records: recordsOf(CUSTOMERS),
  view: (customer, service) => viewCustomer(service, customer),
  customerOf: ({ id }) => id,
})

export const cardItemSchema = itemSchema(cardTokenSchema, 'CardTokenItem')

const cardTokens = listOf<CardToken>({
  title: 'Card token',
  schemas: [cardItemSchema],
  records: recordsOf(CARDS),
  view: viewCardToken,
  customerOf: ({ customerId }) => customerId,
})

export const cardTokenIntentItemSchema = itemSchema(cardTokenIntentSchema, 'CardTokenIntentItem')

const cardTokenIntents = listOf<CardTokenIntent>({
  title: 'Card token intent',
  schemas: [cardTokenIntentItemSchema],
  records: recordsOf(CARD_INTENTS),
  filters: { status: statusFilter },
  view: (intent, _service, url) => viewCardTokenIntent(url, intent),
  customerOf: ({ request }) => request.customer,
})

export const agreementItemSchema = itemSchema(
  exactly({
    id: Type.String({ description: 'Its address: account, live or test, and agreement id' }),
    agreement_id: text,
    customer: text,
    card_token: textOrNull,
    brand: text,
    last_four: text,
    references: Type.Record(text, text, { description: 'That of each provider that covers it' }),
    is_live: flag,
    created: text,
  }),
  'AgreementItem',
)

const agreements = listOf<Agreement>({
  title: 'Agreement',
  schemas: [agreementItemSchema],
  records: recordsOf(AGREEMENTS),
  view: (agreement) =>
    answer(agreementItemSchema, agreement, {
      agreement_id: agreement.agreementId,
      customer: agreement.customerId,
      card_token: agreement.cardTokenId ?? null,
      brand: agreement.card.brand,
      last_four: agreement.card.lastFour,
    }),
  customerOf: ({ customerId }) => customerId,
})

/** The lists of everything that payments made. */
export function lists(app: App, service: Service): void {
  addKind(app, service, intents)
  addKind(app, service, transactions)
  addKind(app, service, customers)
  addKind(app, service, cardTokens)
  addKind(app, service, cardTokenIntents)
  addKind(app, service, agreements)
}
