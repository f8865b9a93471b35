import { useRoute } from 'preact-iso'
import { useResource } from '../api/resource.js'
import type { DeliverySummary, EndpointStatistics } from '../api/types.js'
import { shortUrl } from '../format.js'
import { VERDICTS } from '../parts/badge.js'
import type { Option } from '../parts/fields.js'
import { ListPage, type ListFilter } from '../parts/list-page.js'
import { SendLinks } from '../parts/page-head.js'
import { COLUMNS } from './delivery-columns.js'
import { DeliveryView } from './delivery.js'
import { FirstSteps } from './first-steps.js'

const ANSWERS = Object.entries(VERDICTS).map(([name, { words }]): Option => [name, words])

const FILTERS: readonly ListFilter[] = [
  { name: 'status', label: 'Status', options: ['pending', 'delivered', ['dead', 'failed'], 'lost'] },
  { name: 'verdict', label: 'Answer', options: ANSWERS },
  { name: 'type', label: 'Event', options: ['intent.*', 'transaction.*', 'card_token.*'] },
  { name: 'is_live', label: 'Live mode' },
  { name: 'source', label: 'Source' },
  { name: 'intent', label: 'Intent' },
]

/** The list of deliveries, those of one payment together. The one that is chosen is next to it if there is space, or in its place. */
export function DeliveriesPage() {
  const { id } = useRoute().params
  const { data } = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/', { kinds: ['delivery'] })
  const options = data.value?.map(({ url }): Option => [url, shortUrl(url)]) ?? []
  const isBeside = id !== undefined
  return (
    <div class="split" data-is-open={isBeside}>
      <div class="pane">
        <ListPage<DeliverySummary>
          title="Deliveries"
          path="/_sandbox/newest/deliveries/"
          kinds={['delivery']}
          query={{ group: 'intent' }}
          columns={COLUMNS}
          filters={[...FILTERS, { name: 'endpoint', label: 'Endpoint', options }]}
          actions={isBeside ? undefined : <SendLinks />}
          empty="Every event that the sandbox sends appears here."
          emptyActions={!isBeside && <FirstSteps />}
          isBeside={isBeside}
        />
      </div>
      {isBeside && (
        <div class="pane">
          <DeliveryView id={id} />
        </div>
      )}
    </div>
  )
}
