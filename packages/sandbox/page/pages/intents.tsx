import { useRoute } from 'preact-iso'
import type { Intent, IntentDetails } from '../api/types.js'
import { amountText, shortUrl } from '../format.js'
import { ModeBadge, StatusBadge } from '../parts/badge.js'
import { CREATED, MODE } from '../parts/columns.js'
import { Facts } from '../parts/facts.js'
import { History } from '../parts/history.js'
import { ItemPage } from '../parts/item-page.js'
import { JsonText } from '../parts/json-text.js'
import { CopiedId, ItemLink, itemPath } from '../parts/links.js'
import { ListPage, MODE_FILTER, type ListFilter } from '../parts/list-page.js'
import type { Column } from '../parts/paged-table.js'
import { Panel } from '../parts/panel.js'
import { PlainTable } from '../parts/plain-table.js'
import { Ago, FullTime } from '../parts/times.js'
import { CardIntentPage } from './card-intent.js'
import { CustomerSteps } from './customer-steps.js'
import { DELIVERY_COLUMNS, TRANSACTION_COLUMNS } from './related-columns.js'
import { PaymentLink } from './payment-link.js'

export const STATUS_FILTER: ListFilter = {
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

const COLUMNS: readonly Column<Intent>[] = [
  {
    title: 'Amount',
    width: 'minmax(0, 1fr)',
    view: ({ id, amount, amount_currency, created }) => (
      <>
        <a class="row-link" href={itemPath('intents', id)}>
          {amountText(amount, amount_currency)}
        </a>
        <span class="second-line narrow-only">
          <Ago at={created} /> - {id}
        </span>
      </>
    ),
  },
  {
    title: 'Intent',
    width: 'minmax(0, 1.2fr)',
    isWide: true,
    view: ({ id }) => <code class="soft">{id}</code>,
  },
  {
    title: 'Status',
    width: 'var(--status-track)',
    view: ({ status, failure }) => (
      <span title={failure ?? undefined}>
        <StatusBadge status={status} /> {failure !== null && <span class="soft wide-only">{failure}</span>}
      </span>
    ),
  },
  {
    title: 'Customer',
    width: 'minmax(0, 1fr)',
    isWide: true,
    view: ({ customer }) => <ItemLink section="customers" id={customer} />,
  },
  {
    title: 'Endpoint',
    width: 'minmax(0, 1.5fr)',
    isWide: true,
    view: ({ webhook_url }) => <span class="soft">{webhook_url === null ? '-' : shortUrl(webhook_url)}</span>,
  },
  MODE,
  CREATED,
]

export function IntentsPage() {
  return (
    <ListPage<Intent>
      title="Intents"
      path="/_sandbox/newest/intents/"
      kinds={['intent']}
      columns={COLUMNS}
      filters={[STATUS_FILTER, MODE_FILTER]}
      empty="An intent is a payment that a merchant asks for. Make one with a test payment, or through the API."
      emptyActions={<PaymentLink />}
      actions={<PaymentLink />}
    />
  )
}

/** An intent: a payment, or a card to be saved, as its id says. */
export function IntentPage() {
  const { id = '' } = useRoute().params
  return id.startsWith('cti_') ? (
    <CardIntentPage section="intents" sectionTitle="Intents" />
  ) : (
    <PaymentIntent />
  )
}

function PaymentIntent() {
  return (
    <ItemPage<IntentDetails>
      section="intents"
      sectionTitle="Intents"
      kinds={['intent', 'delivery']}
      title={({ amount, amount_currency }) => amountText(amount, amount_currency)}
      badges={({ status, is_live }) => (
        <>
          <StatusBadge status={status} />
          <ModeBadge isLive={is_live} />
        </>
      )}
      actions={({ embed_url }) =>
        embed_url !== null && (
          <a class="button" href={embed_url} target="_blank">
            Open the hosted form
          </a>
        )
      }
      side={(intent) => (
        <>
          <Panel title="Intent">
            <IntentFacts intent={intent} />
          </Panel>
          {intent.custom_fields !== null && (
            <Panel title="Custom fields" isFlush>
              <JsonText value={intent.custom_fields} />
            </Panel>
          )}
        </>
      )}
      main={(intent, reload) => (
        <>
          <CustomerSteps intent={intent} onDone={reload} />
          <Panel title="What happened">
            <History entries={intent.history} />
          </Panel>
          <Panel title="Transactions" isFlush>
            <PlainTable
              label="Transactions"
              columns={TRANSACTION_COLUMNS}
              items={intent.transactions}
              keyOf={({ id }) => id}
              empty="No provider was asked for this payment yet."
            />
          </Panel>
          <Panel
            title="Deliveries"
            isFlush
            tools={<a href={`/deliveries/?intent=${encodeURIComponent(intent.id)}`}>In the list</a>}
          >
            <PlainTable
              label="Deliveries"
              columns={DELIVERY_COLUMNS}
              items={intent.deliveries}
              keyOf={({ id }) => id}
              empty={
                intent.webhook_url === null
                  ? 'No event was sent: the intent has no webhook_url, and there was no default endpoint.'
                  : 'No event was sent yet.'
              }
            />
          </Panel>
        </>
      )}
    />
  )
}

function IntentFacts({ intent }: { readonly intent: IntentDetails }) {
  return (
    <Facts
      facts={[
        ['Id', <CopiedId id={intent.id} />],
        ['Failure', intent.failure],
        ['Customer', intent.customer && <ItemLink section="customers" id={intent.customer} />],
        ['Card', intent.card_token && <ItemLink section="cards" id={intent.card_token} />],
        ['Agreement', agreementOf(intent)],
        ['Initiated by', intent.merchant_initiated ? 'the merchant (MIT)' : 'the customer'],
        ['Saves card', savingOf(intent)],
        ['Endpoint', intent.webhook_url && <EndpointLink url={intent.webhook_url} />],
        ['Account', <code>{intent.account}</code>],
        ['Created', <FullTime at={intent.created} />],
      ]}
    />
  )
}

export function EndpointLink({ url }: { readonly url: string }) {
  return <a href={`/deliveries/?endpoint=${encodeURIComponent(url)}`}>{shortUrl(url)}</a>
}

/** Only a charge that succeeds makes an agreement. */
function agreementOf({ agreement, agreement_id: id }: IntentDetails) {
  return agreement === null ? id : <a href={`/agreements/${agreement}/`}>{id}</a>
}

function savingOf(intent: IntentDetails): string | null {
  if (intent.tokenize_card) return 'always'
  if (intent.show_mandatory_save_card_checkbox) return 'the customer must agree'
  if (intent.show_save_card_checkbox) return 'if the customer agrees'
  return intent.allow_tokenize_card ? 'if the SDK asks for it' : null
}
