import type { RequestDetails, RequestSummary } from '../api/types.js'
import { durationText } from '../format.js'
import { HttpStatus } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { MODE, type Kind } from '../parts/kind.js'
import { Panel } from '../parts/panel.js'
import { soft } from '../parts/table.js'
import { Ago } from '../parts/times.js'

/** The log of the calls to the API. */
export const REQUESTS: Kind<RequestSummary, RequestDetails> = {
  name: 'requests',
  title: 'Requests',
  noun: 'Request',
  changes: ['request'],
  nameOf: ({ method, path }) => `${method} ${path}`,
  label: ({ method, path }) => (
    <>
      <span class="mono soft">{method}</span> <span class="mono">{path}</span>
    </>
  ),
  hint: ({ at, duration_ms: ms, account }) => [<Ago at={at} />, durationText(ms), account],
  fields: [
    {
      title: 'Answer',
      width: 'var(--answer-track)',
      isNarrow: true,
      isBadge: true,
      view: ({ status, error }) => (
        <span title={error ?? undefined}>
          <HttpStatus status={status} /> {error !== null && soft(error)}
        </span>
      ),
    },
    { title: 'Duration', width: '72px', isNumber: true, view: (item) => durationText(item.duration_ms) },
    { title: 'Account', width: 1.1, view: ({ account }) => account && <code>{account}</code> },
    { ...MODE, view: (item) => item.is_live !== null && MODE.view(item) },
    { title: 'Time', width: '84px', isNumber: true, view: ({ at }) => <Ago at={at} /> },
  ],
  filters: [
    { name: 'method', label: 'Method', options: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] },
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
  ],
  empty: 'Every call to the API appears here with its answer: make one with an API key.',
  emptyAction: <a href="/settings/keys/">Go to the keys</a>,
  main: ({ path, request_body, response_body }) => (
    <>
      <Panel title="Answer" isFlush>
        <LoggedBody path={path} text={response_body} />
      </Panel>
      <Panel title="Body of the request" isFlush>
        <LoggedBody path={path} text={request_body} />
      </Panel>
    </>
  ),
}

function LoggedBody({ path, text }: { readonly path: string; readonly text: string | null }) {
  if (text) return <BodyView text={text} />
  const isOfVault = path.startsWith('/vault/')
  return (
    <p class="panel-body soft">
      {isOfVault ? 'It is not kept: the vault gets card numbers.' : 'It is empty.'}
    </p>
  )
}
