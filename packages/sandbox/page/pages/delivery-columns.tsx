import type { PagedList } from '../api/paged-list.js'
import type { DeliverySummary } from '../api/types.js'
import { durationText, shortUrl } from '../format.js'
import { Badge, ModeBadge, OutcomeBadge, StatusBadge } from '../parts/badge.js'
import { CauseTitle } from '../parts/cause.js'
import { CREATED, linkColumn, nameColumn, soft, type Column } from '../parts/columns.js'
import { itemPath } from '../parts/links.js'
import type { PlainColumn } from '../parts/plain-table.js'
import { createSelection, SelectBox } from '../parts/selection.js'
import { Ago, Countdown } from '../parts/times.js'
import { toastError } from '../parts/toasts.js'

/** As many as the service resends at once. */
const MAX_SELECTED = 500

/** The deliveries that are selected. */
export const selection = createSelection()

/** Whether a row belongs to the same payment as the row above. */
export function continuesGroup(item: DeliverySummary, previous: DeliverySummary | undefined): boolean {
  return item.intent !== null && previous?.intent === item.intent
}

/** The columns of the list of deliveries. */
export const COLUMNS: readonly Column<DeliverySummary>[] = [
  {
    title: 'Select',
    width: '15px',
    head: (list) => (
      <input
        type="checkbox"
        class="select-box"
        aria-label="Select all"
        title="Select all, up to 500"
        checked={selection.value.size > 0}
        onChange={() => void selectAll(list)}
      />
    ),
    view: ({ id, type }) => <SelectBox selection={selection} id={id} label={`Select ${type} ${id}`} />,
  },
  nameColumn<DeliverySummary>({
    title: 'Event',
    width: 2.4,
    section: 'deliveries',
    name: ({ type }) => type,
    badges: ({ is_live, source }) => (
      <>
        {is_live && <ModeBadge isLive />}
        {source === 'composed' && <Badge tone="plain">composed</Badge>}
      </>
    ),
    second: ({ created, amount, url, cause }) => [
      <Ago at={created} />,
      ...(amount === null ? [] : [amount]),
      cause === null ? shortUrl(url) : <CauseTitle cause={cause} />,
    ],
  }),
  {
    title: 'Payment',
    width: 1.5,
    isWide: true,
    view: (item, previous) => <Payment item={item} isSame={continuesGroup(item, previous)} />,
  },
  {
    title: 'Endpoint',
    width: 1.5,
    isWide: true,
    view: ({ url }) => (
      <span class="soft" title={url}>
        {shortUrl(url)}
      </span>
    ),
  },
  { title: 'Last attempt', width: 3, isWide: true, view: (item) => <LastAttempt item={item} /> },
  {
    title: 'Status',
    width: '110px',
    view: ({ status, next_attempt_at }) =>
      next_attempt_at === null ? (
        <StatusBadge status={status} />
      ) : (
        <Badge tone="wait">
          <span>
            retry <Countdown to={next_attempt_at} />
          </span>
        </Badge>
      ),
  },
  { ...CREATED, width: '74px' },
]

async function selectAll(list: Pick<PagedList<DeliverySummary>, 'ids'>): Promise<void> {
  try {
    selection.value = new Set(selection.value.size > 0 ? [] : await list.ids(MAX_SELECTED))
  } catch (error) {
    toastError(error)
  }
}

interface PaymentProps {
  readonly item: DeliverySummary
  readonly isSame: boolean
}

/** The payment is named once for the deliveries of a group; screen readers read it for each. */
function Payment({ item: { intent, amount }, isSame }: PaymentProps) {
  if (intent === null) return soft('-')
  return (
    <span class={isSame ? 'hidden' : 'cut'}>
      {amount !== null && <span class="amount">{amount}</span>}{' '}
      <a class="above-link mono soft" href={itemPath('intents', intent)} {...(isSame && { tabIndex: -1 })}>
        {/* The beginning of an id is enough to recognize it. */}
        {intent.slice(0, 10)}
      </a>
    </span>
  )
}

function LastAttempt({ item: { last, attempt_count: count, cause } }: { readonly item: DeliverySummary }) {
  if (last === null) return soft('not sent')
  return (
    <>
      <OutcomeBadge {...last} /> {cause !== null && <CauseTitle cause={cause} />}
      {cause === null &&
        !last.verdict.endsWith('forgery') &&
        soft(count > 1 ? `${count} attempts` : durationText(last.duration_ms))}
    </>
  )
}

/** The columns of a short table of deliveries. */
export const DELIVERY_COLUMNS: readonly PlainColumn<DeliverySummary>[] = [
  linkColumn<DeliverySummary>('Event', 'deliveries', ({ type }) => type),
  {
    title: 'Last attempt',
    isWide: true,
    view: ({ last, cause }) =>
      last === null ? (
        soft('not sent')
      ) : (
        <>
          <OutcomeBadge {...last} /> <CauseTitle cause={cause} />
        </>
      ),
  },
  { title: 'Status', view: ({ status }) => <StatusBadge status={status} /> },
  CREATED,
]
