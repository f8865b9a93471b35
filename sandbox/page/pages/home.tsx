import { useResource } from '../api/resource.js'
import type { DeliverySummary, EndpointStatistics, LastAttempt } from '../api/types.js'
import { Badge, HttpStatus, VERDICT_TONES, verdictWords } from '../parts/badge.js'
import { CauseTitle } from '../parts/cause.js'
import { soft } from '../parts/columns.js'
import { Problem } from '../parts/empty.js'
import { Address, ItemLink } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { TablePanel, type PlainColumn } from '../parts/plain-table.js'
import { Ago } from '../parts/times.js'
import { FirstSteps, SendLinks } from './first-steps.js'
import './home.css'

/** Whether each endpoint works, and if not, why. */
export function HomePage() {
  const { data, problem, reload } = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/', {
    kinds: ['delivery'],
  })
  const endpoints = data.value
  return (
    <>
      <PageHead title="Home" actions={<SendLinks />} />
      <div class="page-body endpoints">
        {endpoints === undefined && problem.value !== undefined && (
          <Problem message={problem.value.message} onRetry={reload} />
        )}
        {endpoints?.length === 0 && <FirstSteps />}
        {endpoints !== undefined && endpoints.length > 0 && (
          <TablePanel
            title="Endpoints"
            columns={COLUMNS}
            items={endpoints.map((endpoint) => ({ ...endpoint, key: endpoint.url }))}
            empty="There is no endpoint yet."
          />
        )}
      </div>
    </>
  )
}

/** The deliveries of an endpoint, or those of them that a filter finds. */
function deliveriesOf(url: string, filter = ''): string {
  return `/deliveries/?endpoint=${encodeURIComponent(url)}${filter}`
}

const COLUMNS: readonly PlainColumn<EndpointStatistics>[] = [
  {
    title: 'Address',
    view: ({ url }) => (
      <a href={deliveriesOf(url)}>
        <Address url={url} />
      </a>
    ),
  },
  {
    title: 'Last answer',
    isWide: true,
    view: ({ last }) =>
      last?.last != null && (
        <>
          <HttpStatus status={last.last.status} /> {soft(<Ago at={last.last.at} />)}
        </>
      ),
  },
  { title: 'Verdict', view: ({ last }) => last?.last != null && verdictOf(last, last.last) },
  {
    title: 'Valid accepted',
    isNumber: true,
    isWide: true,
    // 100 % only if nothing failed.
    view: ({ success_rate: rate }) => (rate === null ? '-' : `${Math.floor(rate * 1000) / 10} %`),
  },
  {
    title: 'Forgeries accepted',
    isNumber: true,
    view: ({ url, forgeries_accepted: count }) =>
      count === 0 ? (
        0
      ) : (
        <a href={deliveriesOf(url, '&verdict=accepted-forgery')}>
          <Badge tone="bad">{count}</Badge>
        </a>
      ),
  },
  {
    title: 'Retries pending',
    isNumber: true,
    isWide: true,
    view: ({ url, pending }) =>
      pending === 0 ? 0 : <a href={deliveriesOf(url, '&status=pending')}>{pending}</a>,
  },
  {
    title: 'Audit',
    isWide: true,
    view: ({ url }) => <a href={`/audit/?url=${encodeURIComponent(url)}`}>Audit it</a>,
  },
]

/** The verdict with the cause. */
function verdictOf({ id, cause }: DeliverySummary, { verdict }: LastAttempt) {
  return (
    <>
      <ItemLink section="deliveries" id={id}>
        <Badge tone={VERDICT_TONES[verdict]}>{verdictWords(verdict)}</Badge>
      </ItemLink>{' '}
      <CauseTitle cause={cause} />
    </>
  )
}
