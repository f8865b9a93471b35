import type {
  AgreementDetails,
  CardDetails,
  CardIntent,
  CardIntentDetails,
  CardItem,
  CustomerDetails,
  CustomerWithCards,
  Intent,
  IntentDetails,
  IntentItem,
  Agreement,
  Transaction,
  TransactionDetails,
} from '../api/types.js'
import { Badge, VERDICT_WORDS } from '../parts/badge.js'
import { JsonText } from '../parts/body-view.js'
import { ACCOUNT, CREATED, CUSTOMER, ID, MODE, Related, STATUS, type Kind } from '../parts/kind.js'
import { Address, amountOf, cardName, customerName, ItemLink } from '../parts/links.js'
import { MODE_FILTER, type ListFilter } from '../parts/list-page.js'
import { History, Panel } from '../parts/panel.js'
import { TablePanel } from '../parts/table.js'
import { CustomerSteps } from './customer-steps.js'
import { DELIVERY_COLUMNS } from './delivery-columns.js'

// Each kind of the page of payments: its list, and the page of an item. A field that is added here is shown.

function statusFilter(...statuses: readonly string[]): ListFilter {
  const options = statuses.map((status) => [status, status.toLowerCase().replaceAll('_', ' ')] as const)
  return { name: 'status', label: 'Status', options }
}

const INTENT_STATUS = statusFilter('CREATED', 'AWAITING_CVV', 'AWAITING_CHALLENGE', 'PROCESSED', 'FAILED')

const ENDPOINT = {
  title: 'Endpoint',
  width: 1.3,
  view: ({ webhook_url: url }: Pick<Intent, 'webhook_url'>) => url && <Address url={url} />,
}

const PROVIDER = {
  title: 'Provider',
  width: 0.7,
  isShort: true,
  view: ({ provider }: { readonly provider: string | null }) => provider,
}

const TRANSACTIONS: Kind<Transaction, TransactionDetails> = {
  name: 'transactions',
  title: 'Transactions',
  noun: 'Transaction',
  path: 'transactions',
  changes: ['intent', 'delivery'],
  nameOf: amountOf,
  hint: ({ provider }) => provider,
  fields: [
    ID,
    STATUS,
    PROVIDER,
    { title: 'Intent', width: 1.6, view: ({ intent }) => <ItemLink section="intents" id={intent} /> },
    ACCOUNT,
    MODE,
    CREATED,
  ],
  filters: [statusFilter('SUCCESSFUL', 'FAILED'), MODE_FILTER],
  empty: 'A transaction is one try to charge a card at a provider. A test payment makes one.',
}

const INTENTS: Kind<IntentItem, IntentDetails> = {
  name: 'intents',
  title: 'Intents',
  noun: 'Intent',
  path: 'intents',
  changes: ['intent', 'delivery'],
  nameOf: amountOf,
  hint: ({ reference, customer_name, id }) => reference ?? customer_name ?? id,
  fields: [
    ID,
    { title: 'Reference', width: 0.9, view: ({ reference }) => reference },
    STATUS,
    { title: 'Deliveries', width: '124px', onPage: 'nowhere', view: deliveryHealth },
    CUSTOMER,
    { title: 'Card', view: ({ card_token }) => card_token && <ItemLink section="cards" id={card_token} /> },
    { title: 'Agreement', view: agreementLink },
    { title: 'Initiated by', view: (intent) => (intent.merchant_initiated ? 'merchant (MIT)' : 'customer') },
    ENDPOINT,
    ACCOUNT,
    MODE,
    CREATED,
  ],
  filters: [INTENT_STATUS, MODE_FILTER],
  empty: 'An intent is a payment that a merchant asks for. Make one with a test payment, or through the API.',
  actions: hostedForm,
  main: (intent, reload) => (
    <>
      <CustomerSteps intent={intent} onDone={reload} />
      <History entries={intent.history} />
      <Related
        kind={TRANSACTIONS}
        title="Transactions"
        items={intent.transactions}
        empty="No provider was asked for this payment yet."
      />
      <Deliveries intent={intent} />
      <CustomFields fields={intent.custom_fields} />
    </>
  ),
}

/** Intents that save a card without a payment. */
const CARD_INTENTS: Kind<CardIntent, CardIntentDetails> = {
  name: 'card-intents',
  title: 'Card token intents',
  noun: 'Card token intent',
  path: 'card-token-intents',
  changes: ['card-intent', 'delivery'],
  nameOf: ({ id }) => id,
  hint: ({ customer, customer_name }) => customer_name ?? customer,
  fields: [
    STATUS,
    CUSTOMER,
    {
      title: 'Saved card',
      width: 1.4,
      view: ({ card_token: id }) => id && <ItemLink section="cards" id={id} />,
    },
    { title: 'Type', view: ({ card_token_type }) => card_token_type.toLowerCase() },
    ENDPOINT,
    ACCOUNT,
    MODE,
    CREATED,
  ],
  filters: [INTENT_STATUS, MODE_FILTER],
  empty: 'A card token intent saves a card without a payment: POST /api/v1.4/tokens/cards/.',
  actions: hostedForm,
  main: (intent, reload) => (
    <>
      <CustomerSteps intent={intent} onDone={reload} />
      <History entries={intent.history} />
      <Deliveries intent={intent} />
    </>
  ),
}

const CARDS: Kind<CardItem, CardDetails> = {
  name: 'cards',
  title: 'Cards',
  noun: 'Card',
  path: 'card-tokens',
  changes: ['card', 'intent'],
  nameOf: cardName,
  hint: ({ customer, customer_name }) => customer_name ?? customer,
  fields: [
    ID,
    {
      title: 'Type',
      width: 'minmax(80px, 0.8fr)',
      isNarrow: true,
      isShort: true,
      view: ({ card_token_type: type }) => <Badge tone="plain">{type.toLowerCase()}</Badge>,
    },
    PROVIDER,
    CUSTOMER,
    ACCOUNT,
    MODE,
    CREATED,
  ],
  filters: [MODE_FILTER],
  empty: 'A saved card can be charged without the customer. A test payment can save one.',
  actions: ({ id, customer }) => (
    <a class="button" href={`/payments/new/?${new URLSearchParams({ customer, card: id }).toString()}`}>
      Charge it
    </a>
  ),
}

const AGREEMENTS: Kind<Agreement, AgreementDetails> = {
  name: 'agreements',
  title: 'Agreements',
  noun: 'Agreement',
  path: 'agreements',
  changes: ['agreement', 'intent'],
  nameOf: ({ agreement_id }) => agreement_id,
  hint: ({ customer, customer_name }) => customer_name ?? customer,
  fields: [
    { title: 'Card', width: 'minmax(80px, 0.8fr)', isNarrow: true, isShort: true, view: agreedCard },
    { title: 'Covered by', width: 0.9, isShort: true, view: ({ providers }) => providers.join(', ') },
    CUSTOMER,
    ACCOUNT,
    MODE,
  ],
  filters: [MODE_FILTER],
  empty: 'An agreement lets the merchant charge a card again. A test payment with an agreement id makes one.',
}

const CUSTOMERS: Kind<CustomerWithCards, CustomerDetails> = {
  name: 'customers',
  title: 'Customers',
  noun: 'Customer',
  path: 'customers',
  changes: ['customer', 'card', 'intent', 'agreement'],
  nameOf: customerName,
  hint: ({ cards }) => cards.map(cardName).join(', ') || 'no saved card',
  fields: [
    ID,
    { title: 'E-mail', width: 1.3, view: ({ email }) => email },
    { title: 'Phone', view: ({ phone_number }) => phone_number },
    {
      title: 'Saved cards',
      width: 1.2,
      onPage: 'nowhere',
      view: ({ cards }) => cards.map(cardName).join(', '),
    },
    ACCOUNT,
    MODE,
    CREATED,
  ],
  filters: [MODE_FILTER],
  empty: 'A customer can have saved cards. Make a test payment for a new customer, or use the API.',
  actions: ({ id }) => (
    <a class="button" href={`/payments/new/?customer=${encodeURIComponent(id)}`}>
      Test payment
    </a>
  ),
  main: ({ history, cards, intents, agreements, custom_fields }) => (
    <>
      <Related kind={CARDS} title="Saved cards" items={cards} empty="No card is saved." />
      <Related
        kind={INTENTS}
        title="Payments"
        items={intents}
        empty="There is no payment of this customer."
      />
      <Related
        kind={AGREEMENTS}
        title="Agreements"
        items={agreements}
        empty="The customer agreed to no further charges."
      />
      <History entries={history} />
      <CustomFields fields={custom_fields} />
    </>
  ),
}

/** In the order of the switch. */
export const PAYMENT_KINDS = [INTENTS, TRANSACTIONS, CUSTOMERS, CARDS, CARD_INTENTS, AGREEMENTS] as const

/** What came of the deliveries of an intent: the worst of it. */
function deliveryHealth({ delivery_health: { total, delivered, failed, forgeries_accepted } }: IntentItem) {
  if (total === 0) return null
  if (forgeries_accepted > 0) return <Badge tone="bad">{VERDICT_WORDS['accepted-forgery']}</Badge>
  if (failed > 0)
    return <Badge tone="bad">{failed === total ? `${failed} failed` : `${failed} of ${total} failed`}</Badge>
  if (delivered < total) return <Badge tone="wait">{total - delivered} pending</Badge>
  return <Badge tone="good">{total} delivered</Badge>
}

/** Only a charge that succeeds makes an agreement. */
function agreementLink({ agreement_id: id }: IntentItem) {
  return id && <a href={`/payments/agreements/?search=${encodeURIComponent(id)}`}>{id}</a>
}

function agreedCard(agreement: Agreement) {
  if (agreement.card_token === null) return `${cardName(agreement)}, which is not saved`
  return (
    <ItemLink section="cards" id={agreement.card_token}>
      {cardName(agreement)}
    </ItemLink>
  )
}

function hostedForm({ embed_url: url }: { readonly embed_url: string | null }) {
  return (
    url !== null && (
      <a class="button" href={url} target="_blank">
        Open the hosted form
      </a>
    )
  )
}

interface DeliveriesProps {
  readonly intent: Pick<IntentDetails, 'id' | 'webhook_url' | 'deliveries'>
}

function Deliveries({ intent: { id, webhook_url: url, deliveries } }: DeliveriesProps) {
  return (
    <TablePanel
      title="Deliveries"
      tools={<a href={`/deliveries/?intent=${encodeURIComponent(id)}`}>Show in Deliveries</a>}
      columns={DELIVERY_COLUMNS}
      items={deliveries}
      empty={
        url === null
          ? 'No event was sent: the intent has no webhook_url, and there was no default endpoint.'
          : 'No event was sent yet.'
      }
    />
  )
}

function CustomFields({ fields }: { readonly fields: object | null }) {
  return (
    fields !== null && (
      <Panel title="Custom fields" isFlush>
        <JsonText text={JSON.stringify(fields)} />
      </Panel>
    )
  )
}
