import type { Transaction, TransactionDetails } from '../api/types.js'
import { amountText } from '../format.js'
import { ModeBadge, StatusBadge } from '../parts/badge.js'
import { CREATED, MODE } from '../parts/columns.js'
import { Facts } from '../parts/facts.js'
import { History } from '../parts/history.js'
import { ItemPage } from '../parts/item-page.js'
import { CopiedId, ItemLink, itemPath } from '../parts/links.js'
import { ListPage, MODE_FILTER, type ListFilter } from '../parts/list-page.js'
import type { Column } from '../parts/paged-table.js'
import { Panel } from '../parts/panel.js'
import { Ago, FullTime } from '../parts/times.js'
import { PaymentLink } from './payment-link.js'

const STATUS_FILTER: ListFilter = {
  name: 'status',
  label: 'Result',
  options: [
    ['SUCCESSFUL', 'Successful'],
    ['FAILED', 'Failed'],
  ],
}

const COLUMNS: readonly Column<Transaction>[] = [
  {
    title: 'Amount',
    width: 'minmax(0, 1fr)',
    view: ({ id, amount, amount_currency, provider, created }) => (
      <>
        <a class="row-link" href={itemPath('transactions', id)}>
          {amountText(amount, amount_currency)}
        </a>
        <span class="second-line narrow-only">
          <Ago at={created} /> - {provider}
        </span>
      </>
    ),
  },
  {
    title: 'Result',
    width: 'var(--status-track)',
    view: ({ status, failure }) => (
      <>
        <StatusBadge status={status} /> {failure !== null && <span class="soft wide-only">{failure}</span>}
      </>
    ),
  },
  { title: 'Provider', width: 'minmax(0, 0.7fr)', isWide: true, view: ({ provider }) => provider },
  {
    title: 'Intent',
    width: 'minmax(0, 1.6fr)',
    isWide: true,
    view: ({ intent }) => <ItemLink section="intents" id={intent} />,
  },
  MODE,
  CREATED,
]

export function TransactionsPage() {
  return (
    <ListPage<Transaction>
      title="Transactions"
      path="/_sandbox/newest/transactions/"
      kinds={['intent', 'delivery']}
      columns={COLUMNS}
      filters={[STATUS_FILTER, MODE_FILTER]}
      empty="A transaction is one try to charge a card at a provider. A test payment makes one."
      emptyActions={<PaymentLink />}
    />
  )
}

export function TransactionPage() {
  return (
    <ItemPage<TransactionDetails>
      section="transactions"
      sectionTitle="Transactions"
      kinds={['intent', 'delivery']}
      title={({ amount, amount_currency }) => amountText(amount, amount_currency)}
      badges={({ status, is_live }) => (
        <>
          <StatusBadge status={status} />
          <ModeBadge isLive={is_live} />
        </>
      )}
      side={(transaction) => (
        <Panel title="Transaction">
          <Facts
            facts={[
              ['Id', <CopiedId id={transaction.id} />],
              ['Intent', <ItemLink section="intents" id={transaction.intent} />],
              ['Provider', <a href="/providers/">{transaction.provider}</a>],
              ['Failure', transaction.failure],
              ['Account', <code>{transaction.account}</code>],
              ['Created', <FullTime at={transaction.created} />],
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
