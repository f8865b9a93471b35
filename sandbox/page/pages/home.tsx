import { useResource } from '../api/resource.js'
import type { EndpointStatistics } from '../api/types.js'
import { Badge, CauseTitle, VERDICTS } from '../parts/badge.js'
import { Problem } from '../parts/empty.js'
import { Address, ItemLink } from '../parts/links.js'
import { PageHead, SendLinks } from '../parts/page-head.js'
import { soft, TablePanel, type Column } from '../parts/table.js'
import { Ago } from '../parts/times.js'
import { FirstSteps } from './first-steps.js'

/** Whether each endpoint works, and if not, why. */
export function HomePage() {
  const { data, problem, reload } = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/', {
    kinds: ['delivery'],
  })
  const endpoints = data.value
  return (
    <>
      <PageHead title="Home" actions={endpoints?.length !== 0 && <SendLinks />} />
      <div class="page-body">
        {endpoints === undefined && problem.value !== undefined && (
          <Problem message={problem.value.message} onRetry={reload} />
        )}
        {endpoints?.length === 0 && <FirstSteps />}
        {endpoints !== undefined && endpoints.length > 0 && (
          <TablePanel
            title="Endpoints"
            columns={COLUMNS}
            items={endpoints.map((endpoint) => ({ ...endpoint, id: endpoint.url }))}
            empty=""
          />
        )}
      </div>
    </>
  )
}

/** The address of the deliveries of an endpoint. */
function deliveriesOf(url: string): string {
  return `/deliveries/?endpoint=${encodeURIComponent(url)}`
}

/** How many of its deliveries a filter finds. */
function countOf(count: number, url: string, filter: string) {
  return count === 0 ? soft(0) : <a href={`${deliveriesOf(url)}&${filter}`}>{count}</a>
}

const COLUMNS: readonly Column<EndpointStatistics>[] = [
  {
    title: 'Endpoint',
    view: ({ url }) => (
      <a href={deliveriesOf(url)}>
        <Address url={url} />
      </a>
    ),
  },
  { title: 'Verdict', view: verdictOf },
  {
    title: 'Last answer',
    isWide: true,
    view: ({ last }) =>
      last?.last != null && (
        <>
          <span>{last.last.status ?? 'none'}</span> {soft(['\u00b7 ', <Ago at={last.last.at} />])}
        </>
      ),
  },
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
    isWide: true,
    view: ({ url, forgeries_accepted: count }) => countOf(count, url, 'verdict=accepted-forgery'),
  },
  {
    title: 'Retries pending',
    isNumber: true,
    isWide: true,
    view: ({ url, pending }) => countOf(pending, url, 'status=pending'),
  },
]

/** The verdict with the cause. */
function verdictOf({ last }: EndpointStatistics) {
  if (last?.last == null) return null
  const { tone, words } = VERDICTS[last.last.verdict]
  return (
    <ItemLink section="deliveries" id={last.id}>
      <Badge tone={tone}>{words}</Badge> <CauseTitle cause={last.cause} />
    </ItemLink>
  )
}
