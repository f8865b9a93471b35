import type { DeliverySummary } from '../api/types.js'
import { durationText, shortUrl } from '../format.js'
import { Badge, ModeBadge, StatusBadge } from '../parts/badge.js'
import type { Column } from '../parts/paged-table.js'
import { createSelection, SelectBox } from '../parts/selection.js'
import { Ago, Countdown } from '../parts/times.js'
import { OutcomeBadge } from '../parts/verdict.js'

/** The deliveries that are selected. */
export const selection = createSelection()

/** Whether a row belongs to the same payment as the row above. */
export function continuesGroup(item: DeliverySummary, previous: DeliverySummary | undefined): boolean {
  return item.intent !== null && previous?.intent === item.intent
}

const EVENT: Column<DeliverySummary> = {
  title: 'Event',
  width: 'minmax(0, 2.4fr)',
  view: ({ id, type, is_live, source, amount, url, created }) => (
    <>
      <a class="row-link" href={`/deliveries/${id}/`}>
        {type}
      </a>
      {is_live && <ModeBadge isLive />}
      {source === 'composed' && <Badge tone="plain">composed</Badge>}
      <span class="second-line narrow-only">
        <Ago at={created} /> - {[amount, shortUrl(url)].filter(Boolean).join(' - ')}
      </span>
    </>
  ),
}

const PAYMENT: Column<DeliverySummary> = {
  title: 'Payment',
  width: 'minmax(0, 1.6fr)',
  isWide: true,
  view: (item, previous) => <Payment item={item} isSame={continuesGroup(item, previous)} />,
}

/** The payment is named once for the deliveries of a group; screen readers read it for each. */
function Payment({ item, isSame }: { readonly item: DeliverySummary; readonly isSame: boolean }) {
  if (item.intent === null) return <span class="soft">-</span>
  return (
    <span class={isSame ? 'hidden' : 'cut'}>
      {item.amount !== null && <span class="amount">{item.amount}</span>}{' '}
      <a class="above-link mono soft" href={`/intents/${item.intent}/`} {...(isSame && { tabIndex: -1 })}>
        {shortId(item.intent)}
      </a>
    </span>
  )
}

const ENDPOINT: Column<DeliverySummary> = {
  title: 'Endpoint',
  width: 'minmax(0, 1.8fr)',
  isWide: true,
  view: ({ url }) => (
    <span class="soft" title={url}>
      {shortUrl(url)}
    </span>
  ),
}

const OUTCOME: Column<DeliverySummary> = {
  title: 'Last attempt',
  width: '164px',
  isWide: true,
  view: ({ last, attempt_count }) =>
    last === null ? (
      <span class="soft">not sent yet</span>
    ) : (
      <>
        <OutcomeBadge {...last} />{' '}
        {!last.verdict.endsWith('forgery') && (
          <span class="soft">
            {attempt_count > 1 ? `${attempt_count} attempts` : durationText(last.duration_ms)}
          </span>
        )}
      </>
    ),
}

const STATUS: Column<DeliverySummary> = {
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
}

const CREATED: Column<DeliverySummary> = {
  title: 'Created',
  width: '74px',
  isNumber: true,
  isWide: true,
  view: ({ created }) => (
    <span class="soft">
      <Ago at={created} />
    </span>
  ),
}

/** The columns of the list of deliveries. */
export function deliveryColumns(selectAll: () => void): readonly Column<DeliverySummary>[] {
  const select: Column<DeliverySummary> = {
    title: 'Select',
    width: '15px',
    head: () => (
      <input
        type="checkbox"
        class="select-box"
        aria-label="Select all"
        title="Select all, up to 500"
        checked={selection.value.size > 0}
        onChange={selectAll}
      />
    ),
    view: ({ id, type }) => <SelectBox selection={selection} id={id} label={`Select ${type} ${id}`} />,
  }
  return [select, EVENT, PAYMENT, ENDPOINT, OUTCOME, STATUS, CREATED]
}

/** The beginning of an id, which is enough to recognize it. */
function shortId(id: string): string {
  return id.slice(0, 10)
}
