import { useRoute } from 'preact-iso'
import type { CardIntent, CardIntentDetails, Intent, IntentDetails, IntentItem } from '../api/types.js'
import { post } from '../api/client.js'
import { Badge, StatusBadge, statusAndMode, verdictWords } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { CREATED, CUSTOMER, linkColumn, MODE, nameColumn, statusColumn, soft } from '../parts/columns.js'
import { itemPage } from '../parts/item-page.js'
import {
  Address,
  amountOf,
  CopiedId,
  customerLink,
  EndpointLink,
  ItemLink,
  itemPath,
  PaymentLink,
} from '../parts/links.js'
import { listPage, MODE_FILTER, type ListFilter, type ListDefinition } from '../parts/list-page.js'
import { HistoryPanel, Panel } from '../parts/panel.js'
import { TablePanel, type PlainColumn } from '../parts/plain-table.js'
import { isNarrow } from '../parts/screen.js'
import { Ago, FullTime } from '../parts/times.js'
import { DELIVERY_COLUMNS } from './delivery-columns.js'
import { TRANSACTION_COLUMNS } from './transactions.js'

const STATUS_FILTER: ListFilter = {
  name: 'status',
  label: 'Status',
  options: [
    ['CREATED', 'Created'],
    ['AWAITING_CVV', 'Awaiting CVV'],
    ['AWAITING_CHALLENGE', 'Awaiting challenge'],
    ['PROCESSED', 'Processed'],
    ['FAILED', 'Failed'],
  ],
}

const STATUS = statusColumn('Status')

export const IntentsPage = listPage<IntentItem>({
  title: 'Intents',
  path: '/_sandbox/newest/intents/',
  kinds: ['intent', 'delivery'],
  filters: [STATUS_FILTER, MODE_FILTER],
  columns: [
    nameColumn<IntentItem>({
      title: 'Amount',
      width: 1.2,
      section: 'intents',
      name: amountOf,
      second: ({ created, reference, customer_name: name, id }) => [
        <Ago at={created} />,
        ...[reference, name].filter((text) => text !== null),
        id,
      ],
    }),
    { title: 'Reference', width: 0.9, isWide: true, view: ({ reference }) => reference ?? soft('-') },
    {
      ...STATUS,
      width: 'minmax(124px, 0.8fr)',
      view: (item) => (
        <>
          {STATUS.view(item)}
          {isNarrow.value && (
            <span class="second-line">
              <DeliveryHealth {...item.delivery_health} />
            </span>
          )}
        </>
      ),
    },
    {
      title: 'Deliveries',
      width: '124px',
      isWide: true,
      view: ({ delivery_health: health }) => <DeliveryHealth {...health} />,
    },
    { ...CUSTOMER, width: 1 },
    {
      title: 'Endpoint',
      width: 1.3,
      isWide: true,
      view: ({ webhook_url: url }) => (url === null ? soft('-') : <Address url={url} />),
    },
    { ...MODE, isWide: true },
    CREATED,
  ],
  empty: 'An intent is a payment that a merchant asks for. Make one with a test payment, or through the API.',
  emptyActions: <PaymentLink />,
  actions: <PaymentLink />,
})

/** What came of the deliveries of an intent: the worst of it. */
function DeliveryHealth({ total, delivered, failed, forgeries_accepted }: IntentItem['delivery_health']) {
  if (total === 0) return soft('-')
  if (forgeries_accepted > 0) return <Badge tone="bad">{verdictWords('accepted-forgery')}</Badge>
  if (failed > 0)
    return <Badge tone="bad">{failed === total ? `${failed} failed` : `${failed} of ${total} failed`}</Badge>
  return delivered === total ? (
    <Badge tone="good">{total} delivered</Badge>
  ) : (
    <Badge tone="wait">{total - delivered} pending</Badge>
  )
}

/** The intents that save a card without a payment, which are a list of the section of cards. */
export const CARD_INTENT_LIST: ListDefinition<CardIntent> = {
  title: 'Card token intents',
  path: '/_sandbox/newest/card-token-intents/',
  kinds: ['card-intent'],
  filters: [STATUS_FILTER, MODE_FILTER],
  columns: [
    nameColumn<CardIntent>({
      title: 'Card token intent',
      width: 1.5,
      section: 'cards',
      name: ({ id }) => id,
      isCode: true,
      second: ({ created, customer, customer_name: name }) => [<Ago at={created} />, name ?? customer],
    }),
    statusColumn('Status'),
    {
      title: 'Saved card',
      width: 1.4,
      isWide: true,
      view: ({ card_token }) => <ItemLink section="cards" id={card_token} />,
    },
    CUSTOMER,
    MODE,
    CREATED,
  ],
  empty: 'A card token intent saves a card without a payment: POST /api/v1.4/tokens/cards/.',
}

/** An intent: a payment, or a card to be saved, as its id says. */
export function IntentPage() {
  const { id = '' } = useRoute().params
  return id.startsWith('cti_') ? <CardIntentPage /> : <PaymentIntentPage />
}

const PaymentIntentPage = itemPage<IntentDetails>({
  path: '/_sandbox/intents/',
  kinds: ['intent', 'delivery'],
  title: amountOf,
  badges: statusAndMode,
  actions: hostedForm,
  noun: 'Intent',
  facts: (intent) => [
    ['Id', <CopiedId id={intent.id} />],
    ['Reference', intent.reference],
    ['Failure', intent.failure],
    ['Customer', intent.customer && customerLink(intent)],
    ['Card', intent.card_token && <ItemLink section="cards" id={intent.card_token} />],
    ['Agreement', agreementOf(intent)],
    ['Initiated by', intent.merchant_initiated ? 'the merchant (MIT)' : 'the customer'],
    ['Saves card', savingOf(intent)],
    ['Endpoint', intent.webhook_url && <EndpointLink url={intent.webhook_url} />],
    ['Account', <code>{intent.account}</code>],
    ['Created', <FullTime at={intent.created} />],
  ],
  customFields: ({ custom_fields }) => custom_fields,
  main: (intent, reload) => (
    <>
      <CustomerSteps intent={intent} onDone={reload} />
      <HistoryPanel entries={intent.history} />
      <TablePanel
        title="Transactions"
        columns={TRANSACTION_COLUMNS}
        items={intent.transactions}
        empty="No provider was asked for this payment yet."
      />
      <TablePanel
        title="Deliveries"
        tools={<a href={`/deliveries/?intent=${encodeURIComponent(intent.id)}`}>Show in Deliveries</a>}
        columns={DELIVERY_COLUMNS}
        items={intent.deliveries}
        empty={
          intent.webhook_url === null
            ? 'No event was sent: the intent has no webhook_url, and there was no default endpoint.'
            : 'No event was sent yet.'
        }
      />
    </>
  ),
})

/** An intent to save a card without a payment. */
export const CardIntentPage = itemPage<CardIntentDetails>({
  path: '/_sandbox/card-token-intents/',
  kinds: ['card-intent', 'delivery'],
  title: () => 'Card token intent',
  badges: statusAndMode,
  actions: hostedForm,
  noun: 'Card token intent',
  facts: (intent) => [
    ['Id', <CopiedId id={intent.id} />],
    ['Failure', intent.failure],
    ['Customer', customerLink(intent)],
    ['Card', intent.card_token && <ItemLink section="cards" id={intent.card_token} />],
    ['Type', intent.card_token_type.toLowerCase()],
    ['Endpoint', intent.webhook_url && <EndpointLink url={intent.webhook_url} />],
    ['Account', <code>{intent.account}</code>],
    ['Created', <FullTime at={intent.created} />],
  ],
  main: (intent, reload) => (
    <>
      <CustomerSteps intent={intent} onDone={reload} />
      <HistoryPanel entries={intent.history} />
      <TablePanel
        title="Deliveries"
        columns={DELIVERY_COLUMNS}
        items={intent.deliveries}
        empty="No event was sent."
      />
    </>
  ),
})

interface CustomerStepsProps {
  readonly intent: Pick<Intent, 'id' | 'status'>
  readonly onDone: () => void
}

/** What is left for the customer to do, such as 3-D Secure; nothing if there is no such step. */
export function CustomerSteps({ intent: { id, status }, onDone }: CustomerStepsProps) {
  const send = (body: object) => async () => {
    await post(`/_sandbox/intents/${id}/pay/`, body)
    onDone()
  }
  if (status === 'AWAITING_CHALLENGE') {
    return (
      <Panel title="The bank asks for 3-D Secure">
        <div class="form-actions">
          <Button kind="primary" onPress={send({ challenge: 'pass' })}>
            Pass the challenge
          </Button>
          <Button onPress={send({ challenge: 'fail' })}>Fail the challenge</Button>
        </div>
      </Panel>
    )
  }
  if (status !== 'AWAITING_CVV') return null
  return (
    <Panel title="The card needs its CVV">
      <div class="form-actions">
        <Button kind="primary" onPress={send({ cvv: '123' })}>
          Enter 123
        </Button>
      </div>
    </Panel>
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

/** Only a charge that succeeds makes an agreement. */
function agreementOf({ agreement, agreement_id: id }: IntentDetails) {
  return agreement === null ? id : <a href={itemPath('agreements', agreement)}>{id}</a>
}

function savingOf(intent: IntentDetails): string | null {
  if (intent.tokenize_card) return 'always'
  if (intent.show_mandatory_save_card_checkbox) return 'the customer must agree'
  if (intent.show_save_card_checkbox) return 'if the customer agrees'
  return intent.allow_tokenize_card ? 'if the SDK asks for it' : null
}

/** The columns of a short table of payments. */
export const INTENT_COLUMNS: readonly PlainColumn<Intent>[] = [
  linkColumn<Intent>('Payment', 'intents', amountOf),
  { title: 'Status', view: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Failure', isWide: true, view: ({ failure }) => soft(failure) },
  CREATED,
]
