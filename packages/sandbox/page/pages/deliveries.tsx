import { useComputed, useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useEffect, useMemo } from 'preact/hooks'
import { get, post } from '../api/client.js'
import type { PagedList } from '../api/paged-list.js'
import type { DeliverySummary, EndpointStatistics } from '../api/types.js'
import { countText, shortUrl } from '../format.js'
import { useFilters } from '../parts/address.js'
import { Button } from '../parts/button.js'
import { Empty } from '../parts/empty.js'
import { FilterBar, FilterChip, FilterSelect, SearchField } from '../parts/filters.js'
import { Icon } from '../parts/icons.js'
import { useKeys } from '../parts/keyboard.js'
import { PageHead } from '../parts/page-head.js'
import { PagedTable } from '../parts/paged-table.js'
import { toggle } from '../parts/selection.js'
import { QuickPayment } from '../parts/test-payment.js'
import { toast, toastError } from '../parts/toasts.js'
import { useList } from '../parts/use-list.js'
import { continuesGroup, deliveryColumns, selection } from './delivery-columns.js'
import './deliveries.css'

/** As many as the service resends at once. */
const MAX_SELECTED = 500

const STATUSES = [
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['dead', 'Given up'],
] as const

const TYPES = [
  ['intent.*', 'intent.*'],
  ['transaction.*', 'transaction.*'],
  ['card_token.*', 'card_token.*'],
  ['intent.processed', 'intent.processed'],
  ['transaction.purchase.successful', 'transaction.purchase.successful'],
  ['transaction.purchase.failed', 'transaction.purchase.failed'],
] as const

const MODES = [
  ['false', 'Test mode'],
  ['true', 'Live mode'],
] as const

const SOURCES = [
  ['payment', 'By a payment'],
  ['composed', 'Composed'],
] as const

/** The filters that the service takes; the address may have others. */
const FILTERS = ['status', 'type', 'endpoint', 'intent', 'is_live', 'source', 'search'] as const

export function DeliveriesPage() {
  const [filters, setFilter, clear] = useFilters()
  const isGrouped = filters['group'] !== 'none'
  const query = {
    ...Object.fromEntries(FILTERS.map((name) => [name, filters[name]])),
    ...(isGrouped && { group: 'intent' }),
  }
  const options = { path: '/_sandbox/newest/deliveries/', query, hasUntil: true }
  const list = useList<DeliverySummary>(options, ['delivery'])
  const isFiltered = FILTERS.some((name) => filters[name] !== undefined)
  const columns = useMemo(() => deliveryColumns(() => void selectAll(list)), [list])
  useSelectionKeys(list)

  const choose = (name: (typeof FILTERS)[number]) => (value: string | undefined) => {
    setFilter(name, value)
  }
  const { intent } = filters
  return (
    <>
      <PageHead
        title="Deliveries"
        badges={list.count.value !== undefined && <Count list={list} />}
        actions={selection.value.size > 0 ? <SelectionActions list={list} /> : <Links />}
      />
      <FilterBar
        search={
          <SearchField label="Search deliveries" value={filters['search']} onSearch={choose('search')} />
        }
      >
        <FilterSelect
          label="Status"
          value={filters['status']}
          options={STATUSES}
          onChoose={choose('status')}
        />
        <FilterSelect label="Event" value={filters['type']} options={TYPES} onChoose={choose('type')} />
        <EndpointFilter list={list} value={filters['endpoint']} onChoose={choose('endpoint')} />
        <FilterSelect label="Mode" value={filters['is_live']} options={MODES} onChoose={choose('is_live')} />
        <FilterSelect
          label="Source"
          value={filters['source']}
          options={SOURCES}
          onChoose={choose('source')}
        />
        {intent !== undefined && (
          <FilterChip
            name="Intent"
            value={intent}
            onRemove={() => {
              setFilter('intent', undefined)
            }}
          />
        )}
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
        {isFiltered && (
          <Button kind="quiet" onPress={clear}>
            Clear
          </Button>
        )}
      </FilterBar>
      <PagedTable
        label="Deliveries"
        list={list}
        columns={columns}
        isHeld={selection.value.size > 0}
        rowClass={isGrouped ? groupClass : undefined}
        empty={isFiltered ? <NothingFound onClear={clear} /> : <NothingSent />}
      />
    </>
  )
}

function groupClass(item: DeliverySummary, previous: DeliverySummary | undefined): string {
  return continuesGroup(item, previous) ? 'group-next' : 'group-first'
}

function Count({ list }: { readonly list: PagedList<DeliverySummary> }) {
  return <span class="soft">{(list.count.value ?? 0).toLocaleString('en')}</span>
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

interface EndpointFilterProps {
  readonly list: PagedList<DeliverySummary>
  readonly value: string | undefined
  readonly onChoose: (value: string | undefined) => void
}

/** Offers every address that something was sent to. */
function EndpointFilter({ list, value, onChoose }: EndpointFilterProps) {
  const known = useSignal<readonly string[]>([])
  const isLoaded = list.count.value !== undefined
  useEffect(() => {
    // After the list, whose rows are waited for.
    if (!isLoaded) return
    get<readonly EndpointStatistics[]>('/_sandbox/endpoints/')
      .then((endpoints) => {
        known.value = endpoints.map(({ url }) => url)
      })
      .catch(toastError)
  }, [isLoaded])
  const urls = useComputed(() => {
    // Another number when rows have changed.
    const loaded = list.version.value === 0 ? [] : list.loaded()
    return [...new Set([...known.value, ...loaded.map(({ url }) => url)])].sort()
  })
  const options = urls.value.map((url) => [url, shortUrl(url)] as const)
  return <FilterSelect label="Endpoint" value={value} options={options} onChoose={onChoose} />
}

async function selectAll(list: PagedList<DeliverySummary>): Promise<void> {
  if (selection.value.size > 0) {
    selection.value = new Set()
    return
  }
  try {
    selection.value = new Set(await list.ids(MAX_SELECTED))
  } catch (error) {
    toastError(error)
  }
}

/** "x" selects the row with the focus, "Escape" none. A selection ends with the list. */
function useSelectionKeys(list: PagedList<DeliverySummary>): void {
  useEffect(
    () => () => {
      selection.value = new Set()
    },
    [list],
  )
  useKeys([
    {
      keys: 'x',
      does: 'Select the row',
      run: () => {
        const row = document.activeElement?.closest('.row')
        const id = row?.querySelector<HTMLElement>('.select-box')?.dataset['id']
        if (id !== undefined) toggle(selection, id)
      },
    },
    {
      keys: 'Escape',
      does: 'Clear the selection',
      run: () => {
        selection.value = new Set()
      },
    },
  ])
}

function SelectionActions({ list }: { readonly list: PagedList<DeliverySummary> }) {
  const { size } = selection.value
  async function resend(): Promise<void> {
    const ids = [...selection.value]
    const { resending } = await post<{ readonly resending: number }>('/_sandbox/deliveries/resend/', { ids })
    toast(`Sending ${countText(resending, 'delivery', 'deliveries')} again.`, 'good')
    selection.value = new Set()
    list.refresh()
  }
  return (
    <>
      <p class="selected-count" role="status">
        {size.toLocaleString('en')} selected
      </p>
      <Button
        onPress={() => {
          selection.value = new Set()
        }}
      >
        Clear selection
      </Button>
      <Button kind="primary" icon="again" onPress={resend}>
        Resend
      </Button>
    </>
  )
}

function NothingFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty title="No delivery fits these filters.">
      <Button onPress={onClear}>Clear the filters</Button>
    </Empty>
  )
}

function NothingSent() {
  const { route } = useLocation()
  return (
    <Empty title="Every event that the sandbox sends appears here. Pay a test payment to send the first two.">
      <QuickPayment />
      <Button
        kind="quiet"
        onPress={() => {
          route('/compose/')
        }}
      >
        Or compose an event
      </Button>
    </Empty>
  )
}
