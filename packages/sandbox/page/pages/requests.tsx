import type { RequestDetails, RequestSummary } from '../api/types.js'
import { durationText } from '../format.js'
import { HttpStatus, ModeBadge } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { Facts } from '../parts/facts.js'
import { ItemPage } from '../parts/item-page.js'
import { itemPath } from '../parts/links.js'
import { ListPage, type ListFilter } from '../parts/list-page.js'
import type { Column } from '../parts/paged-table.js'
import { Panel } from '../parts/panel.js'
import { Ago, FullTime } from '../parts/times.js'
import { HeaderList } from './signature-view.js'

const FILTERS: readonly ListFilter[] = [
  {
    name: 'method',
    label: 'Method',
    options: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'].map((method) => [method, method] as const),
  },
  {
    name: 'status',
    label: 'Answer',
    options: [
      ['2xx', '2xx: success'],
      ['4xx', '4xx: refused'],
      ['5xx', '5xx: failed'],
      ['400', '400'],
      ['401', '401'],
      ['403', '403'],
      ['404', '404'],
      ['409', '409'],
    ],
  },
]

const COLUMNS: readonly Column<RequestSummary>[] = [
  {
    title: 'Request',
    width: 'minmax(0, 3fr)',
    view: ({ id, method, path, at }) => (
      <>
        <a class="row-link" href={itemPath('requests', id)}>
          <span class="mono soft">{method}</span> <span class="mono">{path}</span>
        </a>
        <span class="second-line narrow-only">
          <Ago at={at} />
        </span>
      </>
    ),
  },
  { title: 'Answer', width: '64px', view: ({ status }) => <HttpStatus status={status} /> },
  {
    title: 'Duration',
    width: '72px',
    isNumber: true,
    isWide: true,
    view: ({ duration_ms }) => <span class="soft">{durationText(duration_ms)}</span>,
  },
  {
    title: 'Account',
    width: 'minmax(0, 1.1fr)',
    isWide: true,
    view: ({ account }) => <code class="soft">{account ?? '-'}</code>,
  },
  {
    title: 'Mode',
    width: '52px',
    isWide: true,
    view: ({ is_live }) => is_live !== null && <ModeBadge isLive={is_live} />,
  },
  {
    title: 'Time',
    width: '84px',
    isNumber: true,
    isWide: true,
    view: ({ at }) => (
      <span class="soft">
        <Ago at={at} />
      </span>
    ),
  },
]

export function RequestsPage() {
  return (
    <ListPage<RequestSummary>
      title="Requests"
      path="/_sandbox/requests/"
      kinds={['request']}
      columns={COLUMNS}
      filters={FILTERS}
      hasUntil
      empty="Every call to the API appears here with its answer: make one with an API key."
      emptyActions={
        <a class="button" href="/keys/">
          Go to the keys
        </a>
      }
    />
  )
}

export function RequestPage() {
  return (
    <ItemPage<RequestDetails>
      section="requests"
      sectionTitle="Requests"
      kinds={[]}
      title={({ method, path }) => `${method} ${path}`}
      badges={({ status, is_live }) => (
        <>
          <HttpStatus status={status} />
          {is_live !== null && <ModeBadge isLive={is_live} />}
        </>
      )}
      side={(request) => (
        <Panel title="Request">
          <Facts
            facts={[
              ['Time', <FullTime at={request.at} />],
              ['Took', durationText(request.duration_ms)],
              ['Operation', request.operation && <code>{request.operation}</code>],
              ['Account', request.account && <code>{request.account}</code>],
              ['Id', <code>{request.id}</code>],
            ]}
          />
        </Panel>
      )}
      main={({ request_headers, request_body, response_body }) => (
        <>
          <Panel title="Answer" isFlush>
            <LoggedBody text={response_body} />
          </Panel>
          <Panel title="Body of the request" isFlush>
            <LoggedBody text={request_body} />
          </Panel>
          <Panel title="Headers of the request" isFlush>
            <HeaderList headers={Object.entries(request_headers)} />
          </Panel>
        </>
      )}
    />
  )
}

function LoggedBody({ text }: { readonly text: string | null }) {
  if (text === null) return <p class="panel-body soft">It is not kept.</p>
  return text === '' ? <p class="panel-body soft">It is empty.</p> : <BodyView text={text} />
}
