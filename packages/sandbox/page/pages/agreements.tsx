import type { Agreement, AgreementDetails } from '../api/types.js'
import { ModeBadge } from '../parts/badge.js'
import { MODE } from '../parts/columns.js'
import { Facts } from '../parts/facts.js'
import { History } from '../parts/history.js'
import { ItemPage } from '../parts/item-page.js'
import { cardName, CopiedId, ItemLink } from '../parts/links.js'
import { ListPage, MODE_FILTER } from '../parts/list-page.js'
import type { Column } from '../parts/paged-table.js'
import { Panel } from '../parts/panel.js'
import { PaymentLink } from './payment-link.js'

const COLUMNS: readonly Column<Agreement>[] = [
  {
    title: 'Agreement',
    width: 'minmax(0, 1.5fr)',
    view: ({ key, agreement_id, customer }) => (
      <>
        <a class="row-link mono" href={`/agreements/${key}/`}>
          {agreement_id}
        </a>
        <span class="second-line narrow-only">{customer}</span>
      </>
    ),
  },
  {
    title: 'Card',
    width: 'minmax(80px, 0.8fr)',
    view: (agreement) => (
      <ItemLink section="cards" id={agreement.card_token}>
        {cardName(agreement)}
      </ItemLink>
    ),
  },
  {
    title: 'Covered by',
    width: 'minmax(0, 0.9fr)',
    isWide: true,
    view: ({ providers }) => providers.join(', ') || <span class="soft">no provider</span>,
  },
  {
    title: 'Customer',
    width: 'minmax(0, 1.3fr)',
    isWide: true,
    view: ({ customer }) => <ItemLink section="customers" id={customer} />,
  },
  MODE,
]

export function AgreementsPage() {
  return (
    <ListPage<Agreement>
      title="Agreements"
      path="/_sandbox/newest/agreements/"
      kinds={['agreement']}
      columns={COLUMNS}
      filters={[MODE_FILTER]}
      idOf={({ key }) => key}
      empty="An agreement lets the merchant charge a card again. A test payment with an agreement id makes one."
      emptyActions={<PaymentLink />}
    />
  )
}

export function AgreementPage() {
  return (
    <ItemPage<AgreementDetails>
      section="agreements"
      sectionTitle="Agreements"
      kinds={['agreement', 'intent']}
      title={({ agreement_id }) => agreement_id}
      badges={({ is_live }) => <ModeBadge isLive={is_live} />}
      side={(agreement) => (
        <Panel title="Agreement">
          <Facts
            facts={[
              ['Id', <CopiedId id={agreement.agreement_id} />],
              ['Customer', <ItemLink section="customers" id={agreement.customer} />],
              ['Card', <AgreedCard agreement={agreement} />],
              ['Covered by', agreement.providers.join(', ') || 'no provider'],
              ['Account', <code>{agreement.account}</code>],
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

function AgreedCard({ agreement }: { readonly agreement: Agreement }) {
  if (agreement.card_token === null) return <>{cardName(agreement)}, which is not saved</>
  return (
    <ItemLink section="cards" id={agreement.card_token}>
      {cardName(agreement)}
    </ItemLink>
  )
}
