import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { answer, camelCase } from '../accounts/answer.js'
import type { Scope } from '../accounts/records.js'
import { CARDS, type CardToken } from '../cards/cards.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { CUSTOMERS, type Customer } from '../customers/customers.js'
import { customerSchema, viewCustomer } from '../customers/routes.js'
import { addKind, equalFilter, liveFilter, recordsOf, type Kind } from '../deliveries/kind.js'
import type { Service } from '../deliveries/sending.js'
import type { App } from '../http/operation.js'
import { exactly, flag, oneOf, ref, text, textOrNull } from '../http/schema.js'
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

/** What the items of each list have besides their answers of the API. */
const shared = exactly({ account: text, customer_name: textOrNull })

/** An item of a list, by the schema of its answer. */
export type Listed<Schema extends TSchema> = Static<Schema> & Static<typeof shared>

interface Item {
  readonly id: string
  readonly scope: Scope
}

interface List<Of extends Item> extends Partial<Pick<Kind<Of>, 'filters' | 'textsOf'>> {
  readonly title: string
  readonly schema: TObject
  readonly records: Pick<Kind<Of>, 'newestFirst' | 'find'>
  readonly view: (item: Of, service: Service, url: string) => object
  readonly customerOf: (item: Of) => string | undefined
  /** What the page of an item has besides. */
  readonly more?: { readonly schema: TObject; readonly view: (item: Of, service: Service) => object }
}

/** A list of all accounts and both modes, and a page for each item. */
function listOf<Of extends Item>(list: List<Of>): Kind<Of> {
  const { title, schema, records, view, customerOf, more, filters } = list
  const { textsOf = (item) => [textsIn(item)] } = list
  const name = camelCase(title)
  const properties = { ...schema.properties, ...shared.properties }
  const item = exactly(properties, { $id: `${name}Item` })
  const detail = more && exactly({ ...properties, ...more.schema.properties }, { $id: `${name}Detail` })
  const viewer = (service: Service, url: string) => (one: Of) => ({
    ...view(one, service, url),
    account: one.scope.accountId,
    customer_name: customerNameOf(service, customerOf(one)),
  })
  return {
    title,
    item: ref(item),
    detail: ref(detail ?? item),
    ...records,
    filters: { is_live: liveFilter, ...filters },
    searched: 'its ids and fields',
    textsOf,
    viewer,
    viewDetail: (service, url, one) => ({ ...viewer(service, url)(one), ...more?.view(one, service) }),
  }
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

const statusFilter = equalFilter<Intent | CardTokenIntent>(oneOf(STATUSES), ({ status }) => status)

const intents = listOf<Intent>({
  title: 'Intent',
  schema: intentSchema,
  records: recordsOf(INTENTS),
  filters: { status: statusFilter },
  textsOf: (intent) => [textsIn(intent), amountIn(intent)],
  view: (intent, service, url) => viewIntent(service, url, intent),
  customerOf: ({ request }) => request.customer,
  more: {
    schema: exactly({ history: historySchema }),
    view: (intent, service) => ({ history: historyOf(service, intent) }),
  },
})

type Transaction = Charge & Item

const transactions = listOf<Transaction>({
  title: 'Transaction',
  schema: transactionSchema,
  records: {
    newestFirst: chargesNewestFirst,
    find: (service, id) => chargesNewestFirst(service).find((charge) => charge.id === id),
  },
  filters: {
    status: equalFilter(oneOf(['SUCCESSFUL', 'FAILED']), (charge: Charge) => viewCharge(charge).status),
  },
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

const customers = listOf<Customer>({
  title: 'Customer',
  schema: customerSchema,
  records: recordsOf(CUSTOMERS),
  view: (customer, service) => viewCustomer(service, customer),
  customerOf: ({ id }) => id,
})

const cardTokens = listOf<CardToken>({
  title: 'Card token',
  schema: cardTokenSchema,
  records: recordsOf(CARDS),
  view: viewCardToken,
  customerOf: ({ customerId }) => customerId,
})

const cardTokenIntents = listOf<CardTokenIntent>({
  title: 'Card token intent',
  schema: cardTokenIntentSchema,
  records: recordsOf(CARD_INTENTS),
  filters: { status: statusFilter },
  view: (intent, _service, url) => viewCardTokenIntent(url, intent),
  customerOf: ({ request }) => request.customer,
})

export const agreementSchema = exactly({
  id: Type.String({ description: 'Its address: account, live or test, and agreement id' }),
  agreement_id: text,
  customer: text,
  card_token: textOrNull,
  brand: text,
  last_four: text,
  references: Type.Record(text, text, { description: 'That of each provider that covers it' }),
  is_live: flag,
  created: text,
})

const agreements = listOf<Agreement>({
  title: 'Agreement',
  schema: agreementSchema,
  records: recordsOf(AGREEMENTS),
  view: (agreement) =>
    answer(
      agreementSchema,
      { ...agreement.card, ...agreement },
      { customer: agreement.customerId, card_token: agreement.cardTokenId ?? null },
    ),
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
