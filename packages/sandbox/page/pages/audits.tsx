import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useMemo } from 'preact/hooks'
import type { Audit, EndpointStatistics } from '../api/types.js'
import { post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import { countText } from '../format.js'
import { useFilters } from '../parts/filters.js'
import { Button } from '../parts/button.js'
import { linkColumn, timeColumn } from '../parts/columns.js'
import { Problem } from '../parts/empty.js'
import { CheckField, UrlField } from '../parts/fields.js'
import { Form } from '../parts/form.js'
import { Address, itemPath } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { PlainTable, type PlainColumn } from '../parts/plain-table.js'
import { createSelection, toggle, type Selection } from '../parts/selection.js'
import { useWebhookUrl } from '../parts/test-payment.js'
import { auditBadge, GROUP_TITLES } from './audit.js'

export function AuditsPage() {
  const { data, problem, reload } = useResource<readonly Audit[]>('/_sandbox/audits/', { kinds: ['audit'] })
  const groups = useMemo(() => createSelection(Object.keys(GROUP_TITLES)), [])
  return (
    <>
      <PageHead title="Audit" />
      <div class="page-body item">
        <div class="item-main">
          <StartForm groups={groups} />
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
            <div class="stack">
              {Object.entries(GROUP_TITLES).map(([group, title]) => (
                <CheckField
                  key={group}
                  label={title}
                  isChecked={groups.value.has(group)}
                  onChange={() => {
                    toggle(groups, group)
                  }}
                />
              ))}
            </div>
          </Panel>
        </div>
      </div>
    </>
  )
}

function StartForm({ groups }: { readonly groups: Selection }) {
  const { route } = useLocation()
  const [filters] = useFilters()
  const known = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/').data.value
  const last = useWebhookUrl()
  const typed = useSignal(filters['url'])
  const url = typed.value ?? (last.url || (known?.[0]?.url ?? ''))
  const isAll = groups.value.size === Object.keys(GROUP_TITLES).length

  async function start(): Promise<void> {
    const body = { url, ...(!isAll && { groups: [...groups.value] }) }
    const { id } = await post<{ readonly id: string }>('/_sandbox/audits/', body)
    route(itemPath('audits', id))
  }

  return (
    <Panel title="Audit an endpoint">
      <Form class="stack">
        <UrlField
          label="Endpoint"
          name="url"
          hint="It must use the keys of this sandbox. Its handler gets the valid deliveries."
          suggestions={known?.map((endpoint) => endpoint.url)}
          value={url}
          onChange={(text) => {
            typed.value = text
          }}
        />
        <div class="form-actions">
          <Button
            kind="primary"
            icon="shield"
            isSubmit
            isDisabled={url === '' || groups.value.size === 0}
            onPress={start}
          >
            {isAll
              ? 'Start the audit'
              : `Start the audit of ${countText(groups.value.size, 'group', 'groups')}`}
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

const COLUMNS: readonly PlainColumn<Audit>[] = [
  linkColumn<Audit>('Endpoint', 'audits', ({ url }) => <Address url={url} />),
  { title: 'Result', view: auditBadge },
  {
    title: 'Cases',
    isNumber: true,
    isWide: true,
    view: ({ done, total }) => `${done} of ${total}`,
  },
  timeColumn<Audit>('Started', ({ started }) => started),
]
