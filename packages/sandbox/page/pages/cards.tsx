import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'

export function CardsPage() {
  return (
    <>
      <PageHead title="Cards" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}

export function CardPage() {
  return (
    <>
      <PageHead title="Card" />
      <div class="page-body">
        <Empty title="This page is being built." />
      </div>
    </>
  )
}
