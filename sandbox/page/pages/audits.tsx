import { GROUP_TITLES } from '@service-signature/audit/groups'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { auditRun, startAudit } from '../api/audit-run.js'
import { useResource } from '../api/resource.js'
import type { EndpointStatistics } from '../api/types.js'
import { countText } from '../format.js'
import { Button } from '../parts/button.js'
import { CheckField, UrlField } from '../parts/fields.js'
import { useFilters } from '../parts/filters.js'
import { Form } from '../parts/form.js'
import { PageHead } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { createSelection, toggle, type Selection } from '../parts/selection.js'
import { useWebhookUrl } from '../parts/test-payment.js'
import { AuditResult } from './audit.js'

/** All but what books 1,000 payments. */
const USUAL_GROUPS = Object.keys(GROUP_TITLES).filter((group) => group !== 'survives')

/** Audits an endpoint, and shows the result of the last audit since the page was loaded. */
export function AuditsPage() {
  const groups = useMemo(() => createSelection(USUAL_GROUPS), [])
  return (
    <>
      <PageHead title="Audit" />
      <div class="page-body item">
        <div class="item-main">
          <StartForm groups={groups} />
          {auditRun.value === undefined ? (
            <p class="soft">
              An audit sends valid and hostile deliveries to an endpoint, and says what it got wrong.
            </p>
          ) : (
            <AuditResult run={auditRun.value} />
          )}
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
  const [filters] = useFilters()
  const known = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/').data.value
  const last = useWebhookUrl()
  const typed = useSignal(filters['url'])
  const url = typed.value ?? (last.url || (known?.[0]?.url ?? ''))
  const { size } = groups.value
  const isUsual = size === USUAL_GROUPS.length && !groups.value.has('survives')

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
            isDisabled={url === '' || size === 0 || auditRun.value?.state === 'running'}
            onPress={() =>
              startAudit({ url, groups: [...groups.value], survives: groups.value.has('survives') })
            }
          >
            {isUsual ? 'Start the audit' : `Start the audit of ${countText(size, 'group', 'groups')}`}
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
