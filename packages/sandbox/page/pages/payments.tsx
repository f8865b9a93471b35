import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function PaymentsPage() {
  return (
    <>
      <PageHead title="Test payment" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
