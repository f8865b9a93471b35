import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import type { DeliverySummary, EndpointStatistics } from '../api/types.js'
import { countText, shortUrl } from '../format.js'
import { verdictWords } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { useFilters } from '../parts/filters.js'
import { Icon } from '../parts/icons.js'
import { useKeys } from '../parts/keyboard.js'
import { PaymentLink } from '../parts/links.js'
import { ListPage, MODE_FILTER, type ListFilter } from '../parts/list-page.js'
import { toggle } from '../parts/selection.js'
import { SecretLine } from '../parts/secret-line.js'
import { QuickPayment } from '../parts/test-payment.js'
import { toast } from '../parts/toasts.js'
import { COLUMNS, continuesGroup, selection } from './delivery-columns.js'
import './deliveries.css'

const FILTERS: readonly ListFilter[] = [
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
  const endpoints = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/', {
    kinds: ['delivery'],
  })
  const urls = endpoints.data.value?.map(({ url }) => [url, shortUrl(url)] as const) ?? []
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
      columns={COLUMNS}
      filters={[...FILTERS, { name: 'endpoint', label: 'Endpoint', options: urls }]}
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

function Links() {
  return (
    <>
      <a class="button" href="/compose/">
        <Icon name="edit" />
        Compose
      </a>
      <PaymentLink />
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
