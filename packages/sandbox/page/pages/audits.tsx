import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function AuditsPage() {
  return (
    <>
      <PageHead title="Audit" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}

export function AuditPage() {
  return (
    <>
      <PageHead title="Audit" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
