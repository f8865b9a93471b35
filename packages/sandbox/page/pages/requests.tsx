import type { RequestDetails, RequestSummary } from '../api/types.js'
import { durationText } from '../format.js'
import { HttpStatus, ModeBadge } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { MODE, nameColumn, soft, timeColumn } from '../parts/columns.js'
import { itemPage } from '../parts/item-page.js'
import { listPage, type ListFilter } from '../parts/list-page.js'
import { Panel } from '../parts/panel.js'
import { Ago, FullTime } from '../parts/times.js'
import { HeaderList } from './attempt-views.js'

const FILTERS: readonly ListFilter[] = [
  {
    name: 'method',
    label: 'Method',
    options: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
  },
  {
    name: 'status',
    label: 'Answer',
    options: [
      ['2xx', '2xx: success'],
      ['4xx', '4xx: refused'],
      ['5xx', '5xx: failed'],
      ...['400', '401', '403', '404', '409'],
    ],
  },
]

export const RequestsPage = listPage<RequestSummary>({
  title: 'Requests',
  path: '/_sandbox/requests/',
  kinds: ['request'],
  filters: FILTERS,
  columns: [
    nameColumn<RequestSummary>({
      title: 'Request',
      width: 3,
      section: 'requests',
      name: ({ method, path }) => (
        <>
          <span class="mono soft">{method}</span> <span class="mono">{path}</span>
        </>
      ),
      second: ({ at }) => [<Ago at={at} />],
    }),
    { title: 'Answer', width: '64px', view: ({ status }) => <HttpStatus status={status} /> },
    {
      title: 'Duration',
      width: '72px',
      isNumber: true,
      isWide: true,
      view: ({ duration_ms }) => soft(durationText(duration_ms)),
    },
    {
      title: 'Account',
      width: 1.1,
      isWide: true,
      view: ({ account }) => <code class="soft">{account ?? '-'}</code>,
    },
    { ...MODE, isWide: true },
    timeColumn<RequestSummary>('Time', ({ at }) => at),
  ],
  hasUntil: true,
  empty: 'Every call to the API appears here with its answer: make one with an API key.',
  emptyActions: (
    <a class="button" href="/keys/">
      Go to the keys
    </a>
  ),
})

export const RequestPage = itemPage<RequestDetails>({
  path: '/_sandbox/requests/',
  kinds: [],
  title: ({ method, path }) => `${method} ${path}`,
  badges: ({ status, is_live }) => (
    <>
      <HttpStatus status={status} />
      {is_live !== null && <ModeBadge isLive={is_live} />}
    </>
  ),
  noun: 'Request',
  facts: (request) => [
    ['Time', <FullTime at={request.at} />],
    ['Took', durationText(request.duration_ms)],
    ['Operation', request.operation && <code>{request.operation}</code>],
    ['Account', request.account && <code>{request.account}</code>],
    ['Id', <code>{request.id}</code>],
  ],
  main: ({ request_headers, request_body, response_body }) => (
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
  ),
})

function LoggedBody({ text }: { readonly text: string | null }) {
  if (text === null) return <p class="panel-body soft">It is not kept.</p>
  return text === '' ? <p class="panel-body soft">It is empty.</p> : <BodyView text={text} />
}
