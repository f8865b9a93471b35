import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function EndpointsPage() {
  return (
    <>
      <PageHead title="Endpoints" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
