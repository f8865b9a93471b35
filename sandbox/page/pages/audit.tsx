import { useSignal } from '@preact/signals'
import { GROUP_TITLES } from '@service-signature/audit/groups'
import { useMemo } from 'preact/hooks'
import { auditRun, cancelAudit, startAudit, type AuditCase, type AuditRun } from '../api/audit-run.js'
import { useResource } from '../api/resource.js'
import type { EndpointStatistics } from '../api/types.js'
import { shortUrl } from '../format.js'
import { Button } from '../parts/button.js'
import { CheckField, UrlField, useWebhookUrl } from '../parts/fields.js'
import { useFilters } from '../parts/filters.js'
import { bound, Form } from '../parts/form.js'
import { Icon } from '../parts/icons.js'
import { PageHead } from '../parts/page-head.js'
import { Facts, Panel } from '../parts/panel.js'
import './audit.css'

/** Without what the check box adds. */
const SENT = Object.entries(GROUP_TITLES).filter(([group]) => group !== 'survives')

/** Audits an endpoint, and shows the last audit since the page was loaded. */
export function AuditPage() {
  const [filters] = useFilters()
  const known = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/').data.value
  const last = useWebhookUrl()
  const typed = useSignal(filters['url'])
  const survives = useSignal(false)
  const url = typed.value ?? last.url
  const run = auditRun.value
  return (
    <>
      <PageHead title="Audit" />
      <div class={`page-body ${run === undefined ? 'item' : 'stack'}`}>
        <div class="item-main">
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
                label="Also what a shop in production meets"
                hint="Other accounts, copies at once, a burst of 1,000 payments"
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
        {run === undefined && (
          <Panel title="What it sends">
            <Facts facts={SENT} />
          </Panel>
        )}
      </div>
    </>
  )
}

/** An audit while it runs, and its report. */
function AuditView({ run }: { readonly run: AuditRun }) {
  const { url, cases, state, ended } = run
  const isRunning = state === 'running'
  const failed = cases.filter(({ outcome }) => outcome === 'failed')
  const listed = isRunning ? cases : [...failed, ...cases.filter(({ outcome }) => outcome !== 'failed')]
  return (
    <>
      <Panel
        title={shortUrl(url)}
        isFlush
        tools={
          <>
            {isRunning && (
              <Button kind="danger" isSmall onPress={cancelAudit}>
                Cancel
              </Button>
            )}
            {ended !== undefined && (
              <>
                <Download name="audit.html" text={ended.html} />
                <Download name="audit-junit.xml" text={ended.junit} />
              </>
            )}
          </>
        }
      >
        <Summary run={run} failed={failed.length} />
      </Panel>
      {!isRunning && failed.length > 0 && <Fixes failed={failed} />}
      <Panel title="Cases" isFlush>
        <ul>
          {listed.map(({ name, title, outcome, got, expected }) => (
            <li class="audit-case" key={name} data-outcome={outcome}>
              <span class="audit-outcome">{outcome === 'not-run' && isRunning ? 'to come' : outcome}</span>
              <span>{title}</span>
              <span class="soft">{outcome === 'failed' ? `${got}, expected ${expected}` : got}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </>
  )
}

function Download({ name, text }: { readonly name: string; readonly text: string }) {
  const address = useMemo(() => URL.createObjectURL(new Blob([text])), [text])
  return (
    <a class="button small" href={address} download={name}>
      {name}
    </a>
  )
}

const STATES: Readonly<Record<AuditRun['state'], string>> = {
  running: 'The audit is running.',
  done: 'The audit has ended.',
  stopped: 'The audit stopped early.',
  cancelled: 'The audit was cancelled.',
}

function Summary({ run, failed }: { readonly run: AuditRun; readonly failed: number }) {
  const { state, problem, cases, ended } = run
  const total = cases.length
  const done = cases.filter(({ outcome }) => outcome !== 'not-run').length
  const isRunning = state === 'running'
  const tone = isRunning ? 'plain' : failed > 0 || problem !== null ? 'bad' : 'good'
  return (
    <div class="verdict" data-tone={tone} role="status">
      <Icon name={isRunning ? 'clock' : tone === 'good' ? 'check' : 'warning'} />
      <div class="audit-summary">
        <strong>{ended?.report.conclusion ?? STATES[state]}</strong>
        <p>
          {done} of {total} cases ran, {failed} failed.
        </p>
        {problem !== null && <p>{problem}</p>}
        {isRunning && <progress aria-label="Cases that have run" value={done} max={total} />}
        {ended?.report.notes.map((note) => (
          <p class="soft" key={note}>
            {note}
          </p>
        ))}
      </div>
    </div>
  )
}

/** How an endpoint can fail, the worst first. */
const WEAKNESSES: readonly AuditCase['weakness'][] = ['accepts', 'loses', 'leaks', 'fails']

/** One fix for each cause, with what it costs to be without. */
function Fixes({ failed }: { readonly failed: readonly AuditCase[] }) {
  const worstFirst = WEAKNESSES.flatMap((weakness) => failed.filter((one) => one.weakness === weakness))
  return (
    <Panel title="What to fix" isFlush>
      <ol class="fixes">
        {[...new Set(worstFirst.map(({ fix }) => fix))].map((fix) => {
          const cases = worstFirst.filter((one) => one.fix === fix)
          return (
            <li key={fix}>
              <strong>{fix}</strong>
              <p class="soft">
                {cases[0]!.cost} Cases: {cases.length}.
              </p>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
