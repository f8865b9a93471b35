import type { Agreement, AgreementDetails } from '../api/types.js'
import { ModeBadge } from '../parts/badge.js'
import { CUSTOMER, linkColumn, MODE, nameColumn, soft } from '../parts/columns.js'
import { itemPage } from '../parts/item-page.js'
import { cardName, CopiedId, customerLink, ItemLink, PaymentLink } from '../parts/links.js'
import { listPage, MODE_FILTER } from '../parts/list-page.js'
import { HistoryPanel } from '../parts/panel.js'
import type { PlainColumn } from '../parts/plain-table.js'

const COVERED_BY: PlainColumn<Agreement> = {
  title: 'Covered by',
  view: ({ providers }) => providers.join(', ') || soft('no provider'),
}

export const AgreementsPage = listPage<Agreement>({
  title: 'Agreements',
  path: '/_sandbox/newest/agreements/',
  kinds: ['agreement'],
  filters: [MODE_FILTER],
  columns: [
    nameColumn<Agreement>({
      title: 'Agreement',
      width: 1.5,
      section: 'agreements',
      name: ({ agreement_id }) => agreement_id,
      isCode: true,
      second: ({ customer, customer_name: name }) => [name ?? customer],
    }),
    { title: 'Card', width: 'minmax(80px, 0.8fr)', view: cardLink },
    { ...COVERED_BY, width: 0.9, isWide: true },
    { ...CUSTOMER, width: 1.3 },
    MODE,
  ],
  empty: 'An agreement lets the merchant charge a card again. A test payment with an agreement id makes one.',
  emptyActions: <PaymentLink />,
})

export const AgreementPage = itemPage<AgreementDetails>({
  path: '/_sandbox/agreements/',
  kinds: ['agreement', 'intent'],
  title: ({ agreement_id }) => agreement_id,
  badges: ({ is_live }) => <ModeBadge isLive={is_live} />,
  noun: 'Agreement',
  facts: (agreement) => [
    ['Id', <CopiedId id={agreement.agreement_id} />],
    ['Customer', customerLink(agreement)],
    ['Card', cardLink(agreement) ?? `${cardName(agreement)}, which is not saved`],
    ['Covered by', agreement.providers.join(', ') || 'no provider'],
    ['Account', <code>{agreement.account}</code>],
  ],
  main: ({ history }) => <HistoryPanel entries={history} />,
})

function cardLink(agreement: Agreement) {
  if (agreement.card_token === null) return null
  return (
    <ItemLink section="cards" id={agreement.card_token}>
      {cardName(agreement)}
    </ItemLink>
  )
}

/** The columns of a short table of agreements. */
export const AGREEMENT_COLUMNS: readonly PlainColumn<Agreement>[] = [
  linkColumn<Agreement>('Agreement', 'agreements', ({ agreement_id }) => agreement_id),
  { title: 'Card', view: cardName },
  COVERED_BY,
  { ...MODE, isWide: true },
]
