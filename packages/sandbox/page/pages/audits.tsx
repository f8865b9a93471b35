import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useMemo } from 'preact/hooks'
import type { Audit } from '../api/types.js'
import { post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import { useFilters } from '../parts/filters.js'
import { Button } from '../parts/button.js'
import { linkColumn, timeColumn } from '../parts/columns.js'
import { Problem } from '../parts/empty.js'
import { CheckField, TextField } from '../parts/fields.js'
import { itemPath } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { PlainTable, type PlainColumn } from '../parts/plain-table.js'
import { createSelection, toggle } from '../parts/selection.js'
import { useWebhookUrl } from '../parts/test-payment.js'
import { auditBadge, GROUP_TITLES } from './audit.js'

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
  const groups = useMemo(() => createSelection(Object.keys(GROUP_TITLES)), [])
  const isAll = groups.value.size === Object.keys(GROUP_TITLES).length

  async function start(): Promise<void> {
    const body = { url, ...(!isAll && { groups: [...groups.value] }) }
    const { id } = await post<{ readonly id: string }>('/_sandbox/audits/', body)
    route(itemPath('audits', id))
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
                onChange={() => {
                  toggle(groups, group)
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
  linkColumn<Audit>('Endpoint', 'audits', ({ url }) => url),
  { title: 'Result', view: auditBadge },
  {
    title: 'Cases',
    isNumber: true,
    isWide: true,
    view: ({ done, total }) => `${done} of ${total}`,
  },
  timeColumn<Audit>('Started', ({ started }) => started),
]
