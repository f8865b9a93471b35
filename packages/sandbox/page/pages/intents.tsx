import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function IntentsPage() {
  return (
    <>
      <PageHead title="Intents" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}

export function IntentPage() {
  return (
    <>
      <PageHead title="Intent" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
