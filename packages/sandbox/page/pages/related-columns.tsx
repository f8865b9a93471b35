// Columns of the short tables that show what belongs to an item.
import type { Agreement, Card, DeliverySummary, Intent, Transaction } from '../api/types.js'
import { amountText } from '../format.js'
import { ModeBadge, StatusBadge } from '../parts/badge.js'
import { cardName, ItemLink } from '../parts/links.js'
import type { PlainColumn } from '../parts/plain-table.js'
import { Ago } from '../parts/times.js'
import { OutcomeBadge } from '../parts/verdict.js'

const CREATED: PlainColumn<{ readonly created: string }> = {
  title: 'Created',
  isNumber: true,
  isWide: true,
  view: ({ created }) => (
    <span class="soft">
      <Ago at={created} />
    </span>
  ),
}

export const DELIVERY_COLUMNS: readonly PlainColumn<DeliverySummary>[] = [
  { title: 'Event', view: ({ id, type }) => <a href={`/deliveries/${id}/`}>{type}</a> },
  {
    title: 'Last attempt',
    isWide: true,
    view: ({ last }) => (last === null ? <span class="soft">not sent yet</span> : <OutcomeBadge {...last} />),
  },
  { title: 'Status', view: ({ status }) => <StatusBadge status={status} /> },
  CREATED,
]

export const TRANSACTION_COLUMNS: readonly PlainColumn<Transaction>[] = [
  {
    title: 'Transaction',
    view: ({ id, amount, amount_currency }) => (
      <ItemLink section="transactions" id={id}>
        {amountText(amount, amount_currency)}
      </ItemLink>
    ),
  },
  { title: 'Provider', view: ({ provider }) => provider },
  {
    title: 'Result',
    view: ({ status, failure }) => (
      <>
        <StatusBadge status={status} /> {failure !== null && <span class="soft">{failure}</span>}
      </>
    ),
  },
  CREATED,
]

export const INTENT_COLUMNS: readonly PlainColumn<Intent>[] = [
  {
    title: 'Payment',
    view: ({ id, amount, amount_currency }) => (
      <ItemLink section="intents" id={id}>
        {amountText(amount, amount_currency)}
      </ItemLink>
    ),
  },
  { title: 'Status', view: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Failure', isWide: true, view: ({ failure }) => <span class="soft">{failure}</span> },
  CREATED,
]

export const CARD_COLUMNS: readonly PlainColumn<Card>[] = [
  {
    title: 'Card',
    view: (card) => (
      <ItemLink section="cards" id={card.id}>
        {cardName(card)}
      </ItemLink>
    ),
  },
  { title: 'Token', view: ({ card_token_type }) => card_token_type.toLowerCase() },
  { title: 'Provider', isWide: true, view: ({ provider }) => provider ?? <span class="soft">any</span> },
  CREATED,
]

export const AGREEMENT_COLUMNS: readonly PlainColumn<Agreement>[] = [
  {
    title: 'Agreement',
    view: ({ key, agreement_id }) => <a href={`/agreements/${key}/`}>{agreement_id}</a>,
  },
  { title: 'Card', view: cardName },
  {
    title: 'Covered by',
    view: ({ providers }) => providers.join(', ') || <span class="soft">no provider</span>,
  },
  { title: 'Mode', isWide: true, view: ({ is_live }) => <ModeBadge isLive={is_live} /> },
]
