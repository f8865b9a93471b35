import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import type { Audit } from '../api/types.js'
import { post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import { useFilters } from '../parts/address.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Problem } from '../parts/empty.js'
import { CheckField, TextField } from '../parts/fields.js'
import { itemPath } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { PlainTable, type PlainColumn } from '../parts/plain-table.js'
import { useWebhookUrl } from '../parts/test-payment.js'
import { Ago } from '../parts/times.js'
import { GROUP_TITLES } from './audit-groups.js'

/** The page of one audit is in a file of its own. */
export { AuditPage } from './audit.js'

export function AuditsPage() {
  const { data, problem, reload } = useResource<readonly Audit[]>('/_sandbox/audits/', { kinds: ['audit'] })
  return (
    <>
      <PageHead title="Audit" />
      <div class="page-body item">
        <div class="item-main">
          <StartForm />
          <Panel title="Earlier audits" isFlush>
            {problem.value !== undefined && <Problem message={problem.value.message} onRetry={reload} />}
            {data.value !== undefined && (
              <PlainTable
                label="Audits"
                columns={COLUMNS}
                items={data.value}
                keyOf={({ id }) => id}
                empty="An audit sends valid and hostile deliveries to an endpoint, and says what it got wrong."
              />
            )}
          </Panel>
        </div>
        <div class="item-side">
          <Panel title="What is sent">
            <dl class="stack">
              {Object.entries(GROUP_TITLES).map(([group, title]) => (
                <div key={group}>
                  <dt class="mono">{group}</dt>
                  <dd class="soft">{title}.</dd>
                </div>
              ))}
            </dl>
          </Panel>
        </div>
      </div>
    </>
  )
}

function StartForm() {
  const { route } = useLocation()
  const [filters] = useFilters()
  const last = useWebhookUrl()
  const typed = useSignal(filters['url'])
  const url = typed.value ?? last.url
  const groups = useSignal<ReadonlySet<string>>(new Set(Object.keys(GROUP_TITLES)))
  const isAll = groups.value.size === Object.keys(GROUP_TITLES).length

  async function start(): Promise<void> {
    const body = { url, ...(!isAll && { groups: [...groups.value] }) }
    const { id } = await post<{ readonly id: string }>('/_sandbox/audits/', body)
    route(itemPath('audits', id))
  }
  function toggle(group: string, isChecked: boolean): void {
    const chosen = new Set(groups.value)
    if (isChecked) chosen.add(group)
    else chosen.delete(group)
    groups.value = chosen
  }

  return (
    <Panel title="Audit an endpoint">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
        }}
      >
        <TextField
          label="Endpoint"
          inputMode="url"
          placeholder="http://localhost:3000/webhooks"
          hint="It must use the keys of this sandbox. Its handler gets the valid deliveries."
          value={url}
          onChange={(text) => {
            typed.value = text.trim()
          }}
        />
        <details class="more">
          <summary>{isAll ? 'All groups of cases' : `${groups.value.size} groups of cases`}</summary>
          <div class="form">
            {Object.entries(GROUP_TITLES).map(([group, title]) => (
              <CheckField
                key={group}
                label={group}
                hint={`${title}.`}
                isChecked={groups.value.has(group)}
                onChange={(isChecked) => {
                  toggle(group, isChecked)
                }}
              />
            ))}
          </div>
        </details>
        <div class="form-actions">
          <Button
            kind="primary"
            icon="shield"
            isSubmit
            isDisabled={url === '' || groups.value.size === 0}
            onPress={start}
          >
            Start the audit
          </Button>
        </div>
      </form>
    </Panel>
  )
}

const COLUMNS: readonly PlainColumn<Audit>[] = [
  { title: 'Endpoint', view: ({ id, url }) => <a href={itemPath('audits', id)}>{url}</a> },
  { title: 'Result', view: (audit) => <AuditBadge audit={audit} /> },
  {
    title: 'Cases',
    isNumber: true,
    isWide: true,
    view: ({ done, total }) => `${done} of ${total}`,
  },
  {
    title: 'Started',
    isNumber: true,
    isWide: true,
    view: ({ started }) => (
      <span class="soft">
        <Ago at={started} />
      </span>
    ),
  },
]

/** The result in a word. */
export function AuditBadge({ audit: { state, failed } }: { readonly audit: Audit }) {
  if (state === 'running') return <Badge tone="wait">running</Badge>
  if (failed > 0) return <Badge tone="bad">{failed} failed</Badge>
  return state === 'done' ? <Badge tone="good">passed</Badge> : <Badge tone="plain">{state}</Badge>
}
