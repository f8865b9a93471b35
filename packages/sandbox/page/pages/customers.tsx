import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function CustomersPage() {
  return (
    <>
      <PageHead title="Customers" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}

export function CustomerPage() {
  return (
    <>
      <PageHead title="Customer" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
