import { useComputed, useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { get, post } from '../api/client.js'
import type { PagedList } from '../api/paged-list.js'
import type { DeliverySummary, EndpointStatistics } from '../api/types.js'
import { countText, shortUrl } from '../format.js'
import { verdictWords } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import type { Option } from '../parts/fields.js'
import { useFilters } from '../parts/filters.js'
import { Icon } from '../parts/icons.js'
import { useKeys } from '../parts/keyboard.js'
import { ListPage, MODE_FILTER, type ListDefinition } from '../parts/list-page.js'
import { toggle } from '../parts/selection.js'
import { SecretLine } from '../parts/secret-line.js'
import { QuickPayment } from '../parts/test-payment.js'
import { toast, toastError } from '../parts/toasts.js'
import { COLUMNS, continuesGroup, selection } from './delivery-columns.js'
import './deliveries.css'

const FILTERS: ListDefinition<DeliverySummary>['filters'] = [
  {
    name: 'status',
    label: 'Status',
    options: [
      ['pending', 'Pending'],
      ['delivered', 'Delivered'],
      ['dead', 'Given up'],
      ['lost', 'Lost'],
    ],
  },
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
  { name: 'endpoint', label: 'Endpoint', useOptions: useEndpoints },
  MODE_FILTER,
  {
    name: 'source',
    label: 'Source',
    options: [
      ['payment', 'By a payment'],
      ['composed', 'Composed'],
    ],
  },
  { name: 'intent', label: 'Intent' },
]

export function DeliveriesPage() {
  const { url } = useLocation()
  const [filters, setFilter] = useFilters()
  const isGrouped = filters['group'] !== 'none'
  // A selection ends with the list.
  useEffect(() => unselect, [url])
  useKeys([
    { keys: 'x', does: 'Select the row', run: selectFocused },
    { keys: 'Escape', does: 'Clear the selection', run: unselect },
  ])
  return (
    <ListPage
      title="Deliveries"
      path="/_sandbox/newest/deliveries/"
      kinds={['delivery']}
      query={isGrouped ? { group: 'intent' } : {}}
      hasUntil
      columns={COLUMNS}
      filters={FILTERS}
      tools={
        <Button
          kind="quiet"
          isPressed={isGrouped}
          title="Keep the deliveries of one payment together"
          onPress={() => {
            setFilter('group', isGrouped ? 'none' : undefined)
          }}
        >
          Group by payment
        </Button>
      }
      rowClass={isGrouped ? groupClass : undefined}
      isHeld={selection.value.size > 0}
      actions={selection.value.size > 0 ? <SelectionActions /> : <Links />}
      nothingFound="No delivery fits these filters."
      empty="Every event that the sandbox sends appears here. Pay a test payment to send the first two."
      emptyActions={<FirstDelivery />}
    />
  )
}

function groupClass(item: DeliverySummary, previous: DeliverySummary | undefined): string {
  return continuesGroup(item, previous) ? 'group-next' : 'group-first'
}

function unselect(): void {
  selection.value = new Set()
}

/** Selects the row that has the focus. */
function selectFocused(): void {
  const row = document.activeElement?.closest('.row')
  const id = row?.querySelector<HTMLElement>('.select-box')?.dataset['id']
  if (id !== undefined) toggle(selection, id)
}

/** Every address that something was sent to. */
function useEndpoints(list: PagedList<DeliverySummary>): readonly Option[] {
  const known = useSignal<readonly string[]>([])
  const isLoaded = useRef(false)
  isLoaded.current ||= list.count.value !== undefined
  useEffect(() => {
    // Once, and after the first list, whose rows are waited for.
    if (!isLoaded.current) return
    get<readonly EndpointStatistics[]>('/_sandbox/endpoints/')
      .then((endpoints) => {
        known.value = endpoints.map(({ url }) => url)
      })
      .catch(toastError)
  }, [isLoaded.current])
  const urls = useComputed(() => {
    // Another number when rows have changed.
    const loaded = list.version.value === 0 ? [] : list.loaded()
    return [...new Set([...known.value, ...loaded.map(({ url }) => url)])].sort()
  })
  return urls.value.map((url) => [url, shortUrl(url)])
}

function Links() {
  return (
    <>
      <a class="button" href="/compose/">
        <Icon name="edit" />
        Compose
      </a>
      <a class="button primary" href="/payments/">
        Test payment
      </a>
    </>
  )
}

function SelectionActions() {
  async function resend(): Promise<void> {
    const ids = [...selection.value]
    const { resending } = await post<{ readonly resending: number }>('/_sandbox/deliveries/resend/', { ids })
    toast(`Sending ${countText(resending, 'delivery', 'deliveries')} again.`, 'good')
    unselect()
  }
  return (
    <>
      <p class="selected-count" role="status">
        {selection.value.size.toLocaleString('en')} selected
      </p>
      <Button onPress={unselect}>Clear selection</Button>
      <Button kind="primary" icon="again" onPress={resend}>
        Resend
      </Button>
    </>
  )
}

function FirstDelivery() {
  const { route } = useLocation()
  return (
    <>
      <QuickPayment />
      <SecretLine />
      <Button
        kind="quiet"
        onPress={() => {
          route('/compose/')
        }}
      >
        Or compose an event
      </Button>
    </>
  )
}
