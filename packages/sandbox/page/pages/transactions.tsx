import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function TransactionsPage() {
  return (
    <>
      <PageHead title="Transactions" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}

export function TransactionPage() {
  return (
    <>
      <PageHead title="Transaction" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
