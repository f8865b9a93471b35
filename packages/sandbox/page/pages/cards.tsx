import { useRoute } from 'preact-iso'
import type { Card, CardDetails, CardIntent } from '../api/types.js'
import { useFilters } from '../parts/address.js'
import { Badge, ModeBadge, StatusBadge } from '../parts/badge.js'
import { CREATED, MODE } from '../parts/columns.js'
import { Facts } from '../parts/facts.js'
import { History } from '../parts/history.js'
import { ItemPage } from '../parts/item-page.js'
import { cardName, CopiedId, ItemLink, itemPath } from '../parts/links.js'
import { ListPage, MODE_FILTER } from '../parts/list-page.js'
import type { Column } from '../parts/paged-table.js'
import { Panel } from '../parts/panel.js'
import { Ago, FullTime } from '../parts/times.js'
import { CardIntentPage } from './card-intent.js'
import { STATUS_FILTER } from './intents.js'
import { PaymentLink } from './payment-link.js'

const CUSTOMER: Column<{ readonly customer: string }> = {
  title: 'Customer',
  width: 'minmax(0, 1.4fr)',
  isWide: true,
  view: ({ customer }) => <ItemLink section="customers" id={customer} />,
}

const CARD_COLUMNS: readonly Column<Card>[] = [
  {
    title: 'Card',
    width: 'minmax(0, 1fr)',
    view: (card) => (
      <>
        <a class="row-link" href={itemPath('cards', card.id)}>
          {cardName(card)}
        </a>
        <span class="second-line narrow-only">
          <Ago at={card.created} /> - {card.customer}
        </span>
      </>
    ),
  },
  {
    title: 'Card token',
    width: 'minmax(0, 1.5fr)',
    isWide: true,
    view: ({ id }) => <code class="soft">{id}</code>,
  },
  {
    title: 'Type',
    width: 'minmax(80px, 0.8fr)',
    view: ({ card_token_type }) => <Badge tone="plain">{card_token_type.toLowerCase()}</Badge>,
  },
  {
    title: 'Provider',
    width: 'minmax(0, 0.7fr)',
    isWide: true,
    view: ({ provider }) => provider ?? <span class="soft">any</span>,
  },
  CUSTOMER,
  MODE,
  CREATED,
]

const INTENT_COLUMNS: readonly Column<CardIntent>[] = [
  {
    title: 'Card token intent',
    width: 'minmax(0, 1.5fr)',
    view: ({ id, created, customer }) => (
      <>
        <a class="row-link mono" href={itemPath('cards', id)}>
          {id}
        </a>
        <span class="second-line narrow-only">
          <Ago at={created} /> - {customer}
        </span>
      </>
    ),
  },
  {
    title: 'Status',
    width: 'var(--status-track)',
    view: ({ status, failure }) => (
      <>
        <StatusBadge status={status} /> {failure !== null && <span class="soft wide-only">{failure}</span>}
      </>
    ),
  },
  {
    title: 'Saved card',
    width: 'minmax(0, 1.4fr)',
    isWide: true,
    view: ({ card_token }) => <ItemLink section="cards" id={card_token} />,
  },
  CUSTOMER,
  MODE,
  CREATED,
]

/** Saved cards, or the intents to save one, as the address says. */
export function CardsPage() {
  const [filters, setFilter] = useFilters()
  const isOfIntents = filters['view'] === 'intents'
  const tabs = (
    <div class="view-switch" role="group" aria-label="Show">
      {(['Saved cards', 'Card token intents'] as const).map((title) => {
        const isIntents = title !== 'Saved cards'
        return (
          <button
            type="button"
            class="button small"
            key={title}
            aria-pressed={isIntents === isOfIntents}
            onClick={() => {
              setFilter('status', undefined)
              setFilter('view', isIntents ? 'intents' : undefined)
            }}
          >
            {title}
          </button>
        )
      })}
    </div>
  )
  if (isOfIntents) {
    return (
      <ListPage<CardIntent>
        title="Card token intents"
        path="/_sandbox/newest/card-token-intents/"
        kinds={['card-intent']}
        columns={INTENT_COLUMNS}
        filters={[STATUS_FILTER, MODE_FILTER]}
        empty="A card token intent saves a card without a payment: POST /api/v1.4/tokens/cards/."
        above={tabs}
      />
    )
  }
  return (
    <ListPage<Card>
      title="Cards"
      path="/_sandbox/newest/card-tokens/"
      kinds={['card']}
      columns={CARD_COLUMNS}
      filters={[MODE_FILTER]}
      empty="A saved card can be charged without the customer. A test payment can save one."
      emptyActions={<PaymentLink />}
      above={tabs}
    />
  )
}

/** A saved card, or the intent to save one: both have their address here. */
export function CardPage() {
  const { id = '' } = useRoute().params
  return id.startsWith('cti_') ? <CardIntentPage section="cards" sectionTitle="Cards" /> : <SavedCard />
}

function SavedCard() {
  return (
    <ItemPage<CardDetails>
      section="cards"
      sectionTitle="Cards"
      path={(id) => `/_sandbox/card-tokens/${encodeURIComponent(id)}/`}
      kinds={['card', 'intent']}
      title={cardName}
      badges={({ is_live, card_token_type }) => (
        <>
          <Badge tone="plain">{card_token_type.toLowerCase()}</Badge>
          <ModeBadge isLive={is_live} />
        </>
      )}
      actions={({ id, customer }) => (
        <a
          class="button"
          href={`/payments/?customer=${encodeURIComponent(customer)}&card=${encodeURIComponent(id)}`}
        >
          Charge it
        </a>
      )}
      side={(card) => (
        <Panel title="Card token">
          <Facts
            facts={[
              ['Id', <CopiedId id={card.id} />],
              ['Customer', <ItemLink section="customers" id={card.customer} />],
              ['Type', TYPES[card.card_token_type]],
              ['Provider', card.provider],
              ['Account', <code>{card.account}</code>],
              ['Created', <FullTime at={card.created} />],
            ]}
          />
        </Panel>
      )}
      main={({ history }) => (
        <Panel title="What happened">
          <History entries={history} />
        </Panel>
      )}
    />
  )
}

const TYPES: Readonly<Record<Card['card_token_type'], string>> = {
  UNIVERSAL: 'universal: the vault has it, every provider can charge it',
  PROVIDER: 'provider: only one provider has it',
  BOTH: 'both: the vault and a provider have it',
}
