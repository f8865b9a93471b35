import type { DeliverySummary } from '../api/types.js'
import { StatusBadge } from '../parts/badge.js'
import { Empty } from '../parts/empty.js'
import { PageHead } from '../parts/page-head.js'
import { PagedTable, type Column } from '../parts/paged-table.js'
import { Ago } from '../parts/times.js'
import { useList } from '../parts/use-list.js'

const COLUMNS: readonly Column<DeliverySummary>[] = [
  {
    title: 'Event',
    width: 'minmax(0, 2fr)',
    view: ({ id, type }) => (
      <a class="row-link" href={`/deliveries/${id}/`}>
        {type}
      </a>
    ),
  },
  { title: 'Status', width: '100px', view: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Created', width: '90px', isNumber: true, view: ({ created }) => <Ago at={created} /> },
]

export function DeliveriesPage() {
  const list = useList<DeliverySummary>({ path: '/_sandbox/newest/deliveries/', hasUntil: true }, [
    'delivery',
  ])
  return (
    <>
      <PageHead title="Deliveries" />
      <PagedTable
        label="Deliveries"
        list={list}
        columns={COLUMNS}
        empty={<Empty title="Nothing was sent yet." />}
      />
    </>
  )
}
