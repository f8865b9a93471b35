import type { CustomerDetails, CustomerWithCards } from '../api/types.js'
import { ModeBadge } from '../parts/badge.js'
import { CREATED, MODE, nameColumn, soft } from '../parts/columns.js'
import { itemPage } from '../parts/item-page.js'
import { cardName, CopiedId, customerName, PaymentLink } from '../parts/links.js'
import { listPage, MODE_FILTER } from '../parts/list-page.js'
import { HistoryPanel } from '../parts/panel.js'
import { TablePanel } from '../parts/plain-table.js'
import { Ago, FullTime } from '../parts/times.js'
import { AGREEMENT_COLUMNS } from './agreements.js'
import { CARD_COLUMNS } from './cards.js'
import { INTENT_COLUMNS } from './intents.js'

export const CustomersPage = listPage<CustomerWithCards>({
  title: 'Customers',
  path: '/_sandbox/newest/customers/',
  kinds: ['customer', 'card'],
  filters: [MODE_FILTER],
  columns: [
    nameColumn<CustomerWithCards>({
      title: 'Name',
      width: 1.2,
      section: 'customers',
      name: customerName,
      second: ({ created, cards }) => [<Ago at={created} />, cardNames(cards) || 'no saved card'],
    }),
    { title: 'E-mail', width: 1.3, isWide: true, view: ({ email }) => soft(email ?? '-') },
    { title: 'Customer', width: 1.5, isWide: true, view: ({ id }) => <code class="soft">{id}</code> },
    { title: 'Saved cards', width: 1.2, isWide: true, view: ({ cards }) => cardNames(cards) || soft('-') },
    MODE,
    CREATED,
  ],
  empty: 'A customer can have saved cards. Make a test payment for a new customer, or use the API.',
  emptyActions: <PaymentLink />,
})

function cardNames(cards: CustomerWithCards['cards']): string {
  return cards.map(cardName).join(', ')
}

export const CustomerPage = itemPage<CustomerDetails>({
  path: '/_sandbox/customers/',
  kinds: ['customer', 'card', 'intent', 'agreement'],
  title: customerName,
  badges: ({ is_live }) => <ModeBadge isLive={is_live} />,
  actions: ({ id }) => (
    <a class="button" href={`/payments/?customer=${encodeURIComponent(id)}`}>
      Test payment
    </a>
  ),
  noun: 'Customer',
  facts: (customer) => [
    ['Id', <CopiedId id={customer.id} />],
    ['E-mail', customer.email],
    ['Phone', customer.phone_number],
    ['Account', <code>{customer.account}</code>],
    ['Created', <FullTime at={customer.created} />],
  ],
  customFields: ({ custom_fields }) => custom_fields,
  main: ({ history, cards, intents, agreements }) => (
    <>
      <TablePanel title="Saved cards" columns={CARD_COLUMNS} items={cards} empty="No card is saved." />
      <TablePanel
        title="Payments"
        columns={INTENT_COLUMNS}
        items={intents}
        empty="There is no payment of this customer."
      />
      <TablePanel
        title="Agreements"
        columns={AGREEMENT_COLUMNS}
        items={agreements}
        empty="The customer agreed to no further charges."
      />
      <HistoryPanel entries={history} />
    </>
  ),
})
