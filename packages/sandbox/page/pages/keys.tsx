import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function KeysPage() {
  return (
    <>
      <PageHead title="Keys" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
