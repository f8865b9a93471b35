import { useRoute } from 'preact-iso'
import type { Card, CardDetails, CardItem } from '../api/types.js'
import { Badge, ModeBadge } from '../parts/badge.js'
import { CREATED, CUSTOMER, linkColumn, MODE, nameColumn, soft } from '../parts/columns.js'
import { useFilters } from '../parts/filters.js'
import { itemPage } from '../parts/item-page.js'
import { cardName, CopiedId, customerLink, PaymentLink } from '../parts/links.js'
import { ListPage, MODE_FILTER, type ListDefinition } from '../parts/list-page.js'
import { HistoryPanel } from '../parts/panel.js'
import type { PlainColumn } from '../parts/plain-table.js'
import { Ago, FullTime } from '../parts/times.js'
import { CardIntentPage, CARD_INTENT_LIST } from './intents.js'

const PROVIDER: PlainColumn<Card> = {
  title: 'Provider',
  isWide: true,
  view: ({ provider }) => provider ?? soft('any'),
}

const CARD_LIST: ListDefinition<CardItem> = {
  title: 'Cards',
  path: '/_sandbox/newest/card-tokens/',
  kinds: ['card'],
  filters: [MODE_FILTER],
  columns: [
    nameColumn<CardItem>({
      title: 'Card',
      width: 1,
      section: 'cards',
      name: cardName,
      second: ({ created, customer, customer_name: name }) => [<Ago at={created} />, name ?? customer],
    }),
    { title: 'Card token', width: 1.5, isWide: true, view: ({ id }) => <code class="soft">{id}</code> },
    { title: 'Type', width: 'minmax(80px, 0.8fr)', view: typeBadge },
    { ...PROVIDER, width: 0.7 },
    CUSTOMER,
    MODE,
    CREATED,
  ],
  empty: 'A saved card can be charged without the customer. A test payment can save one.',
  emptyActions: <PaymentLink />,
}

/** Saved cards, or the intents to save one, as the address says. */
export function CardsPage() {
  const [filters, setFilter] = useFilters()
  const isOfIntents = filters['view'] === 'intents'
  const lists = (
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
  return isOfIntents ? (
    <ListPage {...CARD_INTENT_LIST} above={lists} />
  ) : (
    <ListPage {...CARD_LIST} above={lists} />
  )
}

/** A saved card, or the intent to save one: both have their address here. */
export function CardPage() {
  const { id = '' } = useRoute().params
  return id.startsWith('cti_') ? <CardIntentPage /> : <SavedCardPage />
}

const SavedCardPage = itemPage<CardDetails>({
  path: '/_sandbox/card-tokens/',
  kinds: ['card', 'intent'],
  title: cardName,
  badges: (card) => (
    <>
      {typeBadge(card)}
      <ModeBadge isLive={card.is_live} />
    </>
  ),
  actions: ({ id, customer }) => (
    <a
      class="button"
      href={`/payments/?customer=${encodeURIComponent(customer)}&card=${encodeURIComponent(id)}`}
    >
      Charge it
    </a>
  ),
  noun: 'Card token',
  facts: (card) => [
    ['Id', <CopiedId id={card.id} />],
    ['Customer', customerLink(card)],
    ['Type', TYPES[card.card_token_type]],
    ['Provider', card.provider],
    ['Account', <code>{card.account}</code>],
    ['Created', <FullTime at={card.created} />],
  ],
  main: ({ history }) => <HistoryPanel entries={history} />,
})

function typeBadge({ card_token_type }: Card) {
  return <Badge tone="plain">{card_token_type.toLowerCase()}</Badge>
}

const TYPES: Readonly<Record<Card['card_token_type'], string>> = {
  UNIVERSAL: 'universal: the vault has it, every provider can charge it',
  PROVIDER: 'provider: only one provider has it',
  BOTH: 'both: the vault and a provider have it',
}

/** The columns of a short table of cards. */
export const CARD_COLUMNS: readonly PlainColumn<Card>[] = [
  linkColumn<Card>('Card', 'cards', cardName),
  { title: 'Token', view: ({ card_token_type }) => card_token_type.toLowerCase() },
  PROVIDER,
  CREATED,
]
