import { useRef } from 'preact/hooks'
import { useResource } from '../api/resource.js'
import type { EndpointStatistics } from '../api/types.js'
import { countText, durationText, shortUrl } from '../format.js'
import { Badge, HttpStatus } from '../parts/badge.js'
import { soft } from '../parts/columns.js'
import { Empty, Problem } from '../parts/empty.js'
import { itemPath } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { QuickPayment } from '../parts/test-payment.js'
import { Ago } from '../parts/times.js'
import './endpoints.css'

/** How each address that got deliveries has answered. */
export function EndpointsPage() {
  const { data, problem, reload } = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/', {
    kinds: ['delivery'],
  })
  const endpoints = useSteadyOrder(data.value)
  return (
    <>
      <PageHead
        title="Endpoints"
        badges={endpoints !== undefined && <span class="soft">{endpoints.length}</span>}
      />
      <div class="page-body stack endpoints">
        {endpoints === undefined && problem.value !== undefined && (
          <Problem message={problem.value.message} onRetry={reload} />
        )}
        {endpoints?.length === 0 && (
          <Empty title="Each address that gets an event appears here, with its success rate and its errors.">
            <QuickPayment />
          </Empty>
        )}
        {endpoints?.map((endpoint) => (
          <EndpointPanel key={endpoint.url} endpoint={endpoint} />
        ))}
      </div>
    </>
  )
}

function EndpointPanel({ endpoint }: { readonly endpoint: EndpointStatistics }) {
  const { url, last_at: lastAt, last_errors: errors, forgeries_accepted: forgeries } = endpoint
  return (
    <Panel
      title={shortUrl(url)}
      isFlush
      tools={
        <>
          {forgeries > 0 && (
            <a href={`/deliveries/?endpoint=${encodeURIComponent(url)}&verdict=accepted-forgery`}>
              <Badge tone="bad">{countText(forgeries, 'forgery accepted', 'forgeries accepted')}</Badge>
            </a>
          )}
          {lastAt !== null && (
            <span class="soft">
              last attempt <Ago at={lastAt} />
            </span>
          )}
          <a class="button small" href={`/deliveries/?endpoint=${encodeURIComponent(url)}`}>
            Deliveries
          </a>
          <a class="button small" href={`/audit/?url=${encodeURIComponent(url)}`}>
            Audit it
          </a>
        </>
      }
    >
      <Figures endpoint={endpoint} />
      {errors.length > 0 && (
        <ul class="endpoint-errors" aria-label="Last errors">
          {errors.map(({ at, delivery, type, attempts, status, error }) => (
            <li key={delivery}>
              <HttpStatus status={status} />
              <span>
                <a href={itemPath('deliveries', delivery)}>{type}</a>{' '}
                {soft([attempts > 1 && `${attempts} times`, error].filter(Boolean).join(', '))}
              </span>
              <span class="soft">
                <Ago at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** In the order in which they first came, the newest first: no panel may move while its buttons are used. */
function useSteadyOrder(endpoints: readonly EndpointStatistics[] | undefined) {
  const order = useRef<readonly string[]>([])
  const added = endpoints?.map(({ url }) => url).filter((url) => !order.current.includes(url)) ?? []
  order.current = [...added, ...order.current]
  return order.current.length === 0
    ? endpoints
    : order.current.flatMap((each) => endpoints?.find(({ url }) => url === each) ?? [])
}

function Figures({ endpoint }: { readonly endpoint: EndpointStatistics }) {
  const {
    success_rate: rate,
    forgeries_accepted: forgeries,
    median_ms: median,
    p95_ms: p95,
    dead,
    lost,
  } = endpoint
  const figures: readonly (readonly [title: string, figure: string, isBad?: boolean])[] = [
    // 100 % only if nothing failed.
    ['Valid accepted', rate === null ? '-' : `${Math.floor(rate * 1000) / 10} %`, rate !== null && rate < 1],
    ['Forged accepted', forgeries.toLocaleString('en'), forgeries > 0],
    ['Median', median === null ? '-' : durationText(median)],
    ['95th percentile', p95 === null ? '-' : durationText(p95)],
    ['Attempts', endpoint.attempts.toLocaleString('en')],
    ['Deliveries', endpoint.deliveries.toLocaleString('en')],
    ['Pending', endpoint.pending.toLocaleString('en')],
    ['Given up', dead.toLocaleString('en'), dead > 0],
    ...(lost > 0 ? [['Lost', lost.toLocaleString('en'), true] as const] : []),
  ]
  return (
    <dl class="figures">
      {figures.map(([title, figure, isBad]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd data-tone={isBad === true ? 'bad' : undefined}>{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
