import type { Transaction, TransactionDetails } from '../api/types.js'
import { StatusBadge, statusAndMode } from '../parts/badge.js'
import { CREATED, linkColumn, MODE, nameColumn, statusColumn, soft } from '../parts/columns.js'
import { itemPage } from '../parts/item-page.js'
import { amountOf, CopiedId, ItemLink, PaymentLink } from '../parts/links.js'
import { listPage, MODE_FILTER, type ListFilter } from '../parts/list-page.js'
import { HistoryPanel } from '../parts/panel.js'
import type { PlainColumn } from '../parts/plain-table.js'
import { Ago, FullTime } from '../parts/times.js'

const STATUS_FILTER: ListFilter = {
  name: 'status',
  label: 'Result',
  options: [
    ['SUCCESSFUL', 'Successful'],
    ['FAILED', 'Failed'],
  ],
}

export const TransactionsPage = listPage<Transaction>({
  title: 'Transactions',
  path: '/_sandbox/newest/transactions/',
  kinds: ['intent', 'delivery'],
  filters: [STATUS_FILTER, MODE_FILTER],
  columns: [
    nameColumn<Transaction>({
      title: 'Amount',
      width: 1,
      section: 'transactions',
      name: amountOf,
      second: ({ created, provider }) => [<Ago at={created} />, provider],
    }),
    statusColumn('Result'),
    { title: 'Provider', width: 0.7, isWide: true, view: ({ provider }) => provider },
    {
      title: 'Intent',
      width: 1.6,
      isWide: true,
      view: ({ intent }) => <ItemLink section="intents" id={intent} />,
    },
    MODE,
    CREATED,
  ],
  empty: 'A transaction is one try to charge a card at a provider. A test payment makes one.',
  emptyActions: <PaymentLink />,
})

export const TransactionPage = itemPage<TransactionDetails>({
  path: '/_sandbox/transactions/',
  kinds: ['intent', 'delivery'],
  title: amountOf,
  badges: statusAndMode,
  noun: 'Transaction',
  facts: (transaction) => [
    ['Id', <CopiedId id={transaction.id} />],
    ['Intent', <ItemLink section="intents" id={transaction.intent} />],
    ['Provider', <a href="/providers/">{transaction.provider}</a>],
    ['Failure', transaction.failure],
    ['Account', <code>{transaction.account}</code>],
    ['Created', <FullTime at={transaction.created} />],
  ],
  main: ({ history }) => <HistoryPanel entries={history} />,
})

/** The columns of a short table of transactions. */
export const TRANSACTION_COLUMNS: readonly PlainColumn<Transaction>[] = [
  linkColumn<Transaction>('Transaction', 'transactions', amountOf),
  { title: 'Provider', view: ({ provider }) => provider },
  {
    title: 'Result',
    view: ({ status, failure }) => (
      <>
        <StatusBadge status={status} /> {failure !== null && soft(failure)}
      </>
    ),
  },
  CREATED,
]
