import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function RequestsPage() {
  return (
    <>
      <PageHead title="Requests" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}

export function RequestPage() {
  return (
    <>
      <PageHead title="Request" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
