import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function AgreementsPage() {
  return (
    <>
      <PageHead title="Agreements" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}

export function AgreementPage() {
  return (
    <>
      <PageHead title="Agreement" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
