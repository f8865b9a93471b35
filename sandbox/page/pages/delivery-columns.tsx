import type { DeliverySummary } from '../api/types.js'
import { durationText } from '../format.js'
import { Badge, ModeBadge, OutcomeBadge, StatusBadge, verdictWords } from '../parts/badge.js'
import { CauseTitle } from '../parts/cause.js'
import { CREATED, linkColumn, nameColumn, soft, type Column } from '../parts/columns.js'
import { Address, itemPath } from '../parts/links.js'
import type { PlainColumn } from '../parts/plain-table.js'
import { isNarrow } from '../parts/screen.js'
import { createSelection, SelectBox } from '../parts/selection.js'
import { Ago, Countdown } from '../parts/times.js'

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
    head: (items) => (
      <input
        type="checkbox"
        class="select-box"
        aria-label="Select all"
        checked={selection.value.size > 0}
        onChange={() => {
          selection.value = new Set(selection.value.size > 0 ? [] : items.map(({ id }) => id))
        }}
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
      cause === null ? <Address url={url} /> : <CauseTitle cause={cause} />,
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
    view: ({ url }) => <Address url={url} />,
  },
  { title: 'Last attempt', width: 3, isWide: true, view: (item) => <LastAttempt item={item} /> },
  {
    title: 'Status',
    width: '118px',
    view: (item) => (
      <>
        {item.next_attempt_at === null ? (
          <StatusBadge status={item.status} />
        ) : (
          <Badge tone="wait">
            <span>
              retry <Countdown to={item.next_attempt_at} />
            </span>
          </Badge>
        )}
        {isNarrow.value && (
          <span class="second-line">
            <Outcome item={item} />
          </span>
        )}
      </>
    ),
  },
  { ...CREATED, width: '74px' },
]

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

/** The outcome of the last attempt, and whether an earlier forgery was accepted. */
function Outcome({ item: { last, forgeries_accepted: forgeries } }: { readonly item: DeliverySummary }) {
  if (last === null) return soft('not sent')
  const isHidden = forgeries > 0 && last.verdict !== 'accepted-forgery'
  return (
    <>
      <OutcomeBadge {...last} /> {isHidden && <Badge tone="bad">{verdictWords('accepted-forgery')}</Badge>}
    </>
  )
}

function LastAttempt({ item }: { readonly item: DeliverySummary }) {
  const { last, attempt_count: count, cause } = item
  return (
    <>
      <Outcome item={item} /> <CauseTitle cause={cause} />{' '}
      {last !== null &&
        cause === null &&
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
    view: (item) => (
      <>
        <Outcome item={item} /> <CauseTitle cause={item.cause} />
      </>
    ),
  },
  { title: 'Status', view: ({ status }) => <StatusBadge status={status} /> },
  CREATED,
]
