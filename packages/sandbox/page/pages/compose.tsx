import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function ComposePage() {
  return (
    <>
      <PageHead title="Compose" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
