import { useSignal } from '@preact/signals'
import { auditRun, startAudit } from '../api/audit-run.js'
import { useResource } from '../api/resource.js'
import type { EndpointStatistics } from '../api/types.js'
import { Button } from '../parts/button.js'
import { CheckField, UrlField } from '../parts/fields.js'
import { useFilters } from '../parts/filters.js'
import { bound, Form } from '../parts/form.js'
import { PageHead } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import { useWebhookUrl } from '../parts/webhook-url.js'
import { AuditView } from './audit-view.js'

/** Audits an endpoint, and shows the last audit since the page was loaded. */
export function AuditPage() {
  const [filters] = useFilters()
  const known = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/').data.value
  const last = useWebhookUrl()
  const typed = useSignal(filters['url'])
  const survives = useSignal(false)
  const url = typed.value ?? (last.url || (known?.[0]?.url ?? ''))
  const run = auditRun.value
  return (
    <>
      <PageHead title="Audit" />
      <div class="page-body stack">
        <Panel title="Audit an endpoint">
          <Form class="stack">
            <p>An audit sends valid and hostile deliveries to an endpoint, and says what it got wrong.</p>
            <UrlField
              label="Endpoint"
              name="url"
              hint="It must use the keys of this sandbox. Its handler gets the valid deliveries."
              suggestions={known?.map((endpoint) => endpoint.url)}
              value={url}
              onChange={bound(typed).onChange}
            />
            <CheckField
              label="Also what a shop in production meets: other accounts, copies at once, a burst of 1,000 payments"
              isChecked={survives.value}
              onChange={bound(survives).onChange}
            />
            <div class="form-actions">
              <Button
                kind="primary"
                icon="shield"
                isSubmit
                isDisabled={url === '' || run?.state === 'running'}
                onPress={() => startAudit(url, survives.value)}
              >
                Start the audit
              </Button>
            </div>
          </Form>
        </Panel>
        {run !== undefined && <AuditView run={run} />}
      </div>
    </>
  )
}
