import type { DeliverySummary } from '../api/types.js'
import { durationText } from '../format.js'
import { Badge, ModeBadge, OutcomeBadge, StatusBadge, verdictWords } from '../parts/badge.js'
import { CauseTitle } from '../parts/cause.js'
import { CREATED, linkColumn, nameColumn, soft, type Column } from '../parts/columns.js'
import { Address, itemPath } from '../parts/links.js'
import type { PlainColumn } from '../parts/plain-table.js'
import { isNarrow } from '../parts/screen.js'
import { Ago, Countdown } from '../parts/times.js'

/** Whether a row belongs to the same payment as the row above. */
function continuesGroup(item: DeliverySummary, previous: DeliverySummary | undefined): boolean {
  return item.intent !== null && previous?.intent === item.intent
}

export function groupClass(item: DeliverySummary, previous: DeliverySummary | undefined): string {
  return continuesGroup(item, previous) ? 'group-next' : 'group-first'
}

const LAST_ATTEMPT: Column<DeliverySummary> = {
  title: 'Last attempt',
  width: 3,
  isWide: true,
  view: lastAttemptOf,
}

/** The status, or when it is tried again; on narrow screens with the outcome, which has no column there. */
const STATUS: Column<DeliverySummary> = {
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
      {isNarrow.value && <span class="second-line">{outcomeOf(item)}</span>}
    </>
  ),
}

/** The columns of the list of deliveries. */
export const COLUMNS: readonly Column<DeliverySummary>[] = [
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
    view: (item, previous) => paymentOf(item, continuesGroup(item, previous)),
  },
  { title: 'Endpoint', width: 1.5, isWide: true, view: ({ url }) => <Address url={url} /> },
  LAST_ATTEMPT,
  STATUS,
  { ...CREATED, width: '74px' },
]

/** The payment is named once for the deliveries of a group; screen readers read it for each. */
function paymentOf({ intent, amount }: DeliverySummary, isSame: boolean) {
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
function outcomeOf({ last, forgeries_accepted: forgeries }: DeliverySummary) {
  if (last === null) return soft('not sent')
  const isHidden = forgeries > 0 && last.verdict !== 'accepted-forgery'
  return (
    <>
      <OutcomeBadge {...last} /> {isHidden && <Badge tone="bad">{verdictWords('accepted-forgery')}</Badge>}
    </>
  )
}

/** The outcome and its cause, or else how many attempts it took, or how long the only one. */
function lastAttemptOf(item: DeliverySummary) {
  const { last, attempt_count: count, cause } = item
  const isPlain = last !== null && cause === null && !last.verdict.endsWith('forgery')
  return (
    <>
      {outcomeOf(item)} <CauseTitle cause={cause} />{' '}
      {isPlain && soft(count > 1 ? `${count} attempts` : durationText(last.duration_ms))}
    </>
  )
}

/** The columns of a short table of deliveries. */
export const DELIVERY_COLUMNS: readonly PlainColumn<DeliverySummary>[] = [
  linkColumn<DeliverySummary>('Event', 'deliveries', ({ type }) => type),
  LAST_ATTEMPT,
  STATUS,
  CREATED,
]
