import { Fragment } from 'preact'
import { useLocation, useRoute } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import type {
  AgreementItem,
  CardIntentItem,
  CardItem,
  CustomerItem,
  Intent,
  IntentDetails,
  IntentItem,
  TransactionItem,
} from '../api/types.js'
import { Badge } from '../parts/badge.js'
import { NotFound } from '../parts/empty.js'
import {
  CUSTOMER,
  ID,
  KindItem,
  KindList,
  MODE,
  RecordPanel,
  STATUS,
  type Field,
  type Kind,
} from '../parts/kind.js'
import { Address, amountOf, cardName, ItemLink, listAddress, type Identified } from '../parts/links.js'
import { MODE_FILTER, type ListFilter } from '../parts/list-page.js'
import { History } from '../parts/panel.js'
import { CREATED } from '../parts/table.js'
import { PaymentForm } from './payment-form.js'

// What an item has in the list or at the side of its page is a field here. Its page has all of its record.

const ENDPOINT: Field<Pick<Intent, 'webhook_url'>> = {
  title: 'Endpoint',
  width: 1.6,
  view: ({ webhook_url: url }) => url && <Address url={url} />,
}

const PROVIDER: Field<{ readonly provider: string | null }> = {
  title: 'Provider',
  width: 0.7,
  view: ({ provider }) => provider,
}

const CARD: Field<{ readonly card_token?: string }> = {
  title: 'Card',
  view: ({ card_token: id }) => id && <ItemLink section="card-tokens" id={id} />,
}

const INTENTS: Kind<IntentItem, IntentDetails> = {
  name: 'intents',
  title: 'Intents',
  noun: 'Intent',
  changes: ['intent', 'delivery'],
  nameOf: amountOf,
  isAmount: true,
  hint: (intent) => [referenceOf(intent), intent.customer_name, ENDPOINT.view(intent)],
  fields: [
    ID,
    { title: 'Reference', width: 0.9, view: referenceOf },
    STATUS,
    CUSTOMER,
    CARD,
    {
      title: 'Agreement',
      view: ({ agreement_id: id }) => id && <a href={searchAddress('agreements', id)}>{id}</a>,
    },
    ENDPOINT,
    { title: 'Related', view: ({ id }) => <Related text={id} lists={['deliveries', 'transactions']} /> },
    MODE,
    CREATED,
  ],
  filters: [
    statusFilter('CREATED', 'AWAITING_CVV', 'AWAITING_CHALLENGE', 'PROCESSED', 'FAILED'),
    MODE_FILTER,
  ],
  empty: 'An intent is a payment that a merchant asks for. Make one with a test payment, or through the API.',
  actions: hostedForm,
  main: ({ history, ...record }) => (
    <>
      {record.webhook_url === null &&
        history.some((e) => e.transaction) &&
        !history.some((e) => e.delivery) && (
          <p>No event was sent: the intent has no webhook_url, and there was no default endpoint.</p>
        )}
      <History entries={history} />
      <RecordPanel record={record} />
    </>
  ),
}

const TRANSACTIONS: Kind<TransactionItem> = {
  name: 'transactions',
  title: 'Transactions',
  noun: 'Transaction',
  changes: ['intent'],
  nameOf: amountOf,
  isAmount: true,
  hint: ({ provider, customer_name: name }) => [provider, name],
  fields: [
    ID,
    STATUS,
    PROVIDER,
    { title: 'Intent', width: 1.6, view: ({ intent }) => <ItemLink section="intents" id={intent} /> },
    MODE,
    CREATED,
  ],
  filters: [statusFilter('SUCCESSFUL', 'FAILED'), MODE_FILTER],
  empty: 'A transaction is one try to charge a card at a provider. A test payment makes one.',
}

const CUSTOMERS: Kind<CustomerItem> = {
  name: 'customers',
  title: 'Customers',
  noun: 'Customer',
  changes: ['customer', 'card'],
  nameOf: ({ customer_name: name }) => name ?? 'Customer without a name',
  hint: ({ email, phone_number: phone }) => [email, phone],
  fields: [
    ID,
    { title: 'E-mail', width: 1.3, view: ({ email }) => email },
    { title: 'Phone', width: 1, view: ({ phone_number }) => phone_number },
    {
      title: 'Related',
      view: ({ id }) => <Related text={id} lists={['intents', 'card-tokens', 'agreements']} />,
    },
    MODE,
    CREATED,
  ],
  filters: [MODE_FILTER],
  empty: 'A customer can have saved cards. Make a test payment for a new customer, or use the API.',
  actions: ({ id }) => newPayment('Test payment', { customer: id }),
}

const CARDS: Kind<CardItem> = {
  name: 'card-tokens',
  title: 'Cards',
  noun: 'Card',
  changes: ['card'],
  nameOf: cardName,
  hint: ({ customer, customer_name }) => [customer_name ?? customer],
  fields: [
    ID,
    {
      title: 'Type',
      width: 'minmax(80px, 0.8fr)',
      isNarrow: true,
      view: ({ card_token_type: type }) => <Badge tone="plain">{type.toLowerCase()}</Badge>,
    },
    PROVIDER,
    CUSTOMER,
    { title: 'Related', view: ({ id }) => <Related text={id} lists={['intents', 'agreements']} /> },
    MODE,
    CREATED,
  ],
  filters: [MODE_FILTER],
  empty: 'A saved card can be charged without the customer. A test payment can save one.',
  actions: ({ id, customer }) => newPayment('Charge it', { customer, card: id }),
}

/** Intents that save a card without a payment. */
const CARD_INTENTS: Kind<CardIntentItem> = {
  name: 'card-token-intents',
  title: 'Card token intents',
  noun: 'Card token intent',
  changes: ['card-intent'],
  nameOf: ({ id }) => id,
  hint: (intent) => [intent.customer_name ?? intent.customer, ENDPOINT.view(intent)],
  fields: [
    STATUS,
    CUSTOMER,
    CARD,
    ENDPOINT,
    { title: 'Related', view: ({ id }) => <Related text={id} lists={['deliveries']} /> },
    MODE,
    CREATED,
  ],
  filters: [MODE_FILTER],
  empty: 'A card token intent saves a card without a payment: POST /api/v1.4/tokens/cards/.',
  actions: hostedForm,
}

const AGREEMENTS: Kind<AgreementItem> = {
  name: 'agreements',
  title: 'Agreements',
  noun: 'Agreement',
  changes: ['agreement'],
  nameOf: ({ agreement_id }) => agreement_id,
  hint: ({ customer, customer_name }) => [customer_name ?? customer],
  fields: [
    {
      title: 'Card',
      width: 'minmax(80px, 0.8fr)',
      isNarrow: true,
      view: ({ card_token: id, ...card }) =>
        id === null ? (
          `${cardName(card)}, which is not saved`
        ) : (
          <ItemLink section="card-tokens" id={id}>
            {cardName(card)}
          </ItemLink>
        ),
    },
    { title: 'Covered by', width: 0.9, view: ({ references }) => Object.keys(references).join(', ') },
    CUSTOMER,
    { title: 'Related', view: ({ agreement_id: id }) => <Related text={id} lists={['intents']} /> },
    MODE,
    CREATED,
  ],
  filters: [MODE_FILTER],
  empty: 'An agreement lets the merchant charge a card again. A test payment with an agreement id makes one.',
}

/** In the order of the switch. */
const PAYMENT_KINDS = [INTENTS, TRANSACTIONS, CUSTOMERS, CARDS, CARD_INTENTS, AGREEMENTS] as const

const VIEWS = PAYMENT_KINDS.map(({ name, title }) => [listAddress(name), title] as const)

/** Every kind by its name. Only its own parts need to know which items it has. */
const KINDS = new Map<string, Kind<Identified>>(
  PAYMENT_KINDS.map((kind) => [kind.name, kind as unknown as Kind<Identified>]),
)

/** The lists of payments and of what belongs to them, the page of each item, and a form for a test payment. */
export function PaymentsPage() {
  const { kind: name, id } = useRoute().params
  if (name === undefined) return <Redirect to={VIEWS[0]![0]} />
  if (name === 'new') return <PaymentForm />
  const kind = KINDS.get(name)
  if (kind === undefined) return <NotFound />
  if (id === undefined) return <KindList key={name} kind={kind} views={VIEWS} />
  return <KindItem key={`${name} ${id}`} kind={kind} id={id} />
}

function Redirect({ to }: { readonly to: string }) {
  const { route } = useLocation()
  useEffect(() => route(to, true), [])
  return null
}

function statusFilter(...statuses: readonly string[]): ListFilter {
  const options = statuses.map((status) => [status, status.toLowerCase().replaceAll('_', ' ')] as const)
  return { name: 'status', label: 'Status', options }
}

/** A list, searched for a text. */
function searchAddress(list: string, text: string): string {
  return `${listAddress(list)}?search=${encodeURIComponent(text)}`
}

/** Links to the lists in which an item is found by a text. */
function Related({ text, lists }: { readonly text: string; readonly lists: readonly string[] }) {
  return lists.map((list, index) => (
    <Fragment key={list}>
      {index > 0 && ', '}
      <a href={searchAddress(list, text)}>{list.replace('-', ' ')}</a>
    </Fragment>
  ))
}

function newPayment(title: string, fields: Readonly<Record<string, string>>) {
  return (
    <a class="button" href={`/payments/new/?${new URLSearchParams(fields).toString()}`}>
      {title}
    </a>
  )
}

function hostedForm({ embed_url: url }: Pick<Intent, 'embed_url'>) {
  return (
    url !== null && (
      <a class="button" href={url} target="_blank">
        Open the hosted form
      </a>
    )
  )
}

/** The reference of the merchant among the custom fields. */
function referenceOf({ custom_fields }: Intent): string | null {
  const { reference } = { ...custom_fields } as { readonly reference?: unknown }
  return typeof reference === 'string' || typeof reference === 'number' ? String(reference) : null
}
