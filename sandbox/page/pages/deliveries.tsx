import { useResource } from '../api/resource.js'
import type { DeliverySummary, EndpointStatistics } from '../api/types.js'
import { shortUrl } from '../format.js'
import { verdictWords } from '../parts/badge.js'
import type { Option } from '../parts/fields.js'
import { ListPage, MODE_FILTER, type ListFilter } from '../parts/list-page.js'
import { COLUMNS, groupClass } from './delivery-columns.js'
import { FirstSteps, SendLinks } from './first-steps.js'
import './deliveries.css'

const FILTERS: readonly ListFilter[] = [
  { name: 'status', label: 'Status', options: ['pending', 'delivered', ['dead', 'given up'], 'lost'] },
  {
    name: 'verdict',
    label: 'Attempts',
    options: (['accepted', 'refused', 'no-answer', 'accepted-forgery', 'refused-forgery'] as const).map(
      (verdict) => [verdict, verdictWords(verdict)] as const,
    ),
  },
  {
    name: 'type',
    label: 'Event',
    options: [
      'intent.*',
      'transaction.*',
      'card_token.*',
      'intent.processed',
      'transaction.purchase.successful',
      'transaction.purchase.failed',
    ],
  },
  MODE_FILTER,
  { name: 'source', label: 'Source', options: ['payment', 'composed'] },
  { name: 'intent', label: 'Intent' },
]

/** The list of deliveries, those of one payment together. */
export function DeliveriesPage() {
  const { data } = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/', { kinds: ['delivery'] })
  const options = data.value?.map(({ url }): Option => [url, shortUrl(url)]) ?? []
  return (
    <ListPage<DeliverySummary>
      title="Deliveries"
      path="/_sandbox/newest/deliveries/"
      kinds={['delivery']}
      query={{ group: 'intent' }}
      columns={COLUMNS}
      filters={[...FILTERS, { name: 'endpoint', label: 'Endpoint', options }]}
      rowClass={groupClass}
      actions={<SendLinks />}
      nothingFound="No delivery fits these filters."
      empty="Every event that the sandbox sends appears here."
      emptyActions={<FirstSteps />}
    />
  )
}
