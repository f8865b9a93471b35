import type { RequestDetails, RequestSummary } from '../api/types.js'
import { durationText } from '../format.js'
import { HttpStatus, ModeBadge } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { CopyButton } from '../parts/button.js'
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
      second: ({ at, error }) => [<Ago at={at} />, ...(error === null ? [] : [error])],
    }),
    {
      title: 'Answer',
      width: 'var(--answer-track)',
      view: ({ status, error }) => (
        <span title={error ?? undefined}>
          <HttpStatus status={status} /> {error !== null && <span class="soft wide-only">{error}</span>}
        </span>
      ),
    },
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
  actions: (request) => <CopyButton text={curlOf(request)} label="Copy as curl" />,
  noun: 'Request',
  facts: (request) => [
    ['Time', <FullTime at={request.at} />],
    ['Took', durationText(request.duration_ms)],
    ['Operation', request.operation && <code>{request.operation}</code>],
    ['Account', request.account && <code>{request.account}</code>],
    ['Id', <code>{request.id}</code>],
  ],
  main: ({ path, request_headers, request_body, response_body }) => (
    <>
      <Panel title="Answer" isFlush>
        <LoggedBody path={path} text={response_body} />
      </Panel>
      <Panel title="Body of the request" isFlush>
        <LoggedBody path={path} text={request_body} />
      </Panel>
      <Panel title="Headers of the request" isFlush>
        <HeaderList headers={Object.entries(request_headers)} />
      </Panel>
    </>
  ),
})

function LoggedBody({ path, text }: { readonly path: string; readonly text: string | null }) {
  if (text) return <BodyView text={text} />
  const isOfVault = path.startsWith('/vault/')
  return (
    <p class="panel-body soft">
      {isOfVault ? 'It is not kept: the vault gets card numbers.' : 'It is empty.'}
    </p>
  )
}

/** The call as a command. The key was not kept in full. */
function curlOf({ method, path, request_headers: headers, request_body: body }: RequestDetails): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const sent = ['content-type', 'accept'].flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}: ${headers[name]}`],
  )
  return [
    `curl -X ${method} ${quote(location.origin + path)}`,
    ...(headers['x-api-key'] === undefined ? [] : ['-H "X-Api-Key: $API_KEY"']),
    ...sent.map((header) => `-H ${quote(header)}`),
    ...(body ? [`--data-raw ${quote(body)}`] : []),
  ].join(' ')
}
