import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function DeliveryPage() {
  return (
    <>
      <PageHead title="Delivery" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
