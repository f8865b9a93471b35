import type { CustomerDetails, CustomerWithCards } from '../api/types.js'
import { ModeBadge } from '../parts/badge.js'
import { CREATED, MODE } from '../parts/columns.js'
import { Facts } from '../parts/facts.js'
import { History } from '../parts/history.js'
import { ItemPage } from '../parts/item-page.js'
import { JsonText } from '../parts/json-text.js'
import { cardName, CopiedId, customerName, itemPath } from '../parts/links.js'
import { ListPage, MODE_FILTER } from '../parts/list-page.js'
import type { Column } from '../parts/paged-table.js'
import { Panel } from '../parts/panel.js'
import { PlainTable } from '../parts/plain-table.js'
import { Ago, FullTime } from '../parts/times.js'
import { PaymentLink } from './payment-link.js'
import { AGREEMENT_COLUMNS, CARD_COLUMNS, INTENT_COLUMNS } from './related-columns.js'

const COLUMNS: readonly Column<CustomerWithCards>[] = [
  {
    title: 'Name',
    width: 'minmax(0, 1.2fr)',
    view: (customer) => (
      <>
        <a class="row-link" href={itemPath('customers', customer.id)}>
          {customerName(customer)}
        </a>
        <span class="second-line narrow-only">
          <Ago at={customer.created} /> - {customer.cards.map(cardName).join(', ') || 'no saved card'}
        </span>
      </>
    ),
  },
  {
    title: 'E-mail',
    width: 'minmax(0, 1.3fr)',
    isWide: true,
    view: ({ email }) => <span class="soft">{email ?? '-'}</span>,
  },
  {
    title: 'Customer',
    width: 'minmax(0, 1.5fr)',
    isWide: true,
    view: ({ id }) => <code class="soft">{id}</code>,
  },
  {
    title: 'Saved cards',
    width: 'minmax(0, 1.2fr)',
    isWide: true,
    view: ({ cards }) => cards.map(cardName).join(', ') || <span class="soft">-</span>,
  },
  MODE,
  CREATED,
]

export function CustomersPage() {
  return (
    <ListPage<CustomerWithCards>
      title="Customers"
      path="/_sandbox/newest/customers/"
      kinds={['customer', 'card']}
      columns={COLUMNS}
      filters={[MODE_FILTER]}
      empty="A customer can have saved cards. Make a test payment for a new customer, or use the API."
      emptyActions={<PaymentLink />}
    />
  )
}

export function CustomerPage() {
  return (
    <ItemPage<CustomerDetails>
      section="customers"
      sectionTitle="Customers"
      kinds={['customer', 'card', 'intent', 'agreement']}
      title={customerName}
      badges={({ is_live }) => <ModeBadge isLive={is_live} />}
      actions={({ id }) => (
        <a class="button" href={`/payments/?customer=${encodeURIComponent(id)}`}>
          Test payment
        </a>
      )}
      side={(customer) => (
        <>
          <Panel title="Customer">
            <Facts
              facts={[
                ['Id', <CopiedId id={customer.id} />],
                ['E-mail', customer.email],
                ['Phone', customer.phone_number],
                ['Account', <code>{customer.account}</code>],
                ['Created', <FullTime at={customer.created} />],
              ]}
            />
          </Panel>
          {customer.custom_fields !== null && (
            <Panel title="Custom fields" isFlush>
              <JsonText value={customer.custom_fields} />
            </Panel>
          )}
        </>
      )}
      main={({ history, cards, intents, agreements }) => (
        <>
          <Panel title="Saved cards" isFlush>
            <PlainTable
              label="Saved cards"
              columns={CARD_COLUMNS}
              items={cards}
              keyOf={({ id }) => id}
              empty="No card is saved."
            />
          </Panel>
          <Panel title="Payments" isFlush>
            <PlainTable
              label="Payments"
              columns={INTENT_COLUMNS}
              items={intents}
              keyOf={({ id }) => id}
              empty="There is no payment of this customer."
            />
          </Panel>
          <Panel title="Agreements" isFlush>
            <PlainTable
              label="Agreements"
              columns={AGREEMENT_COLUMNS}
              items={agreements}
              keyOf={({ key }) => key}
              empty="The customer agreed to no further charges."
            />
          </Panel>
          <Panel title="What happened">
            <History entries={history} />
          </Panel>
        </>
      )}
    />
  )
}
