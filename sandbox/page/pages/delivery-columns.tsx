import type { DeliverySummary } from '../api/types.js'
import { durationText } from '../format.js'
import { Badge, CauseTitle, ModeBadge, OutcomeBadge, StatusBadge } from '../parts/badge.js'
import { Address, ItemLink, itemPath } from '../parts/links.js'
import { CREATED, nameColumn, soft, type Column } from '../parts/table.js'
import { Ago, Countdown } from '../parts/times.js'

/** The outcome of the last attempt and its cause, or else how many attempts it took, or how long the only one. */
function outcomeOf({ last, attempt_count: count, cause }: DeliverySummary) {
  if (last === null) return soft('not sent')
  const isPlain = cause === null && last.verdict === 'accepted'
  return (
    <>
      <OutcomeBadge {...last} /> <CauseTitle cause={cause} />
      {isPlain && soft(` \u00b7 ${count > 1 ? `${count} attempts` : durationText(last.duration_ms)}`)}
    </>
  )
}

const OUTCOME: Column<DeliverySummary> = { title: 'Last answer', width: 3, isWide: true, view: outcomeOf }

/** The status, or when it is tried again. */
const STATUS: Column<DeliverySummary> = {
  title: 'Status',
  width: '104px',
  view: ({ next_attempt_at: next, status }) =>
    next === null ? (
      <StatusBadge status={status} />
    ) : (
      <Badge tone="wait">
        retry <Countdown to={next} />
      </Badge>
    ),
}

/** The columns of the list of deliveries. */
export const COLUMNS: readonly Column<DeliverySummary>[] = [
  nameColumn<DeliverySummary>({
    title: 'Event',
    width: 'minmax(264px, 1.6fr)',
    section: 'deliveries',
    name: ({ type }) => type,
    badges: ({ is_live }) => is_live && <ModeBadge isLive />,
    second: ({ amount, url, created, is_live }) => [
      ...(is_live ? [<ModeBadge isLive />] : []),
      ...(amount === null ? [] : [<span class="amount">{amount}</span>]),
      <Address url={url} />,
      <Ago at={created} />,
    ],
    third: (item) => item.cause !== null && outcomeOf(item),
  }),
  {
    title: 'Payment',
    width: '104px',
    isNumber: true,
    isWide: true,
    view: ({ intent, amount, source }) =>
      intent === null ? (
        soft(source)
      ) : (
        <a class="above-link amount" href={itemPath('intents', intent)}>
          {amount ?? 'Card'}
        </a>
      ),
  },
  { title: 'Endpoint', width: 1.4, isWide: true, view: ({ url }) => <Address url={url} /> },
  OUTCOME,
  STATUS,
  CREATED,
]

/** The columns of a short table of deliveries. */
export const DELIVERY_COLUMNS: readonly Column<DeliverySummary>[] = [
  {
    title: 'Event',
    view: ({ id, type }) => (
      <ItemLink section="deliveries" id={id}>
        {type}
      </ItemLink>
    ),
  },
  OUTCOME,
  STATUS,
  CREATED,
]
