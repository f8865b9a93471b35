import { useSignal } from '@preact/signals'
import type { Audit, AuditCase } from '../api/types.js'
import { post } from '../api/client.js'
import { countText, shortUrl } from '../format.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Facts } from '../parts/facts.js'
import { Icon } from '../parts/icons.js'
import { ItemPage } from '../parts/item-page.js'
import { CopiedId } from '../parts/links.js'
import { Panel } from '../parts/panel.js'
import { FullTime } from '../parts/times.js'
import { GROUP_TITLES } from './audit-groups.js'
import { AuditBadge } from './audits.js'
import './audit.css'

/** One audit, while it runs and after that. */
export function AuditPage() {
  return (
    <ItemPage<Audit>
      section="audits"
      sectionTitle="Audit"
      kinds={['audit']}
      title={({ url }) => shortUrl(url)}
      badges={(audit) => <AuditBadge audit={audit} />}
      actions={({ id, url, state }) =>
        state === 'running' ? (
          <Button
            kind="danger"
            onPress={async () => {
              await post(`/_sandbox/audits/${id}/cancel/`)
            }}
          >
            Cancel
          </Button>
        ) : (
          <a class="button primary" href={`/audits/?url=${encodeURIComponent(url)}`}>
            Audit again
          </a>
        )
      }
      side={(audit) => (
        <Panel title="Audit">
          <Facts
            facts={[
              ['Endpoint', <CopiedId id={audit.url} label="Copy the address" />],
              ['Started', <FullTime at={audit.started} />],
              ['Ended', audit.ended && <FullTime at={audit.ended} />],
              ['Passed', String(audit.passed)],
              ['Failed', String(audit.failed)],
              ['Not run', String(audit.total - audit.done)],
            ]}
          />
        </Panel>
      )}
      main={(audit) => <AuditResult audit={audit} />}
    />
  )
}

function AuditResult({ audit }: { readonly audit: Audit }) {
  const isFailedOnly = useSignal(false)
  const shown = audit.cases.filter(({ outcome }) => !isFailedOnly.value || outcome === 'failed')
  const groups = groupsOf(shown, audit.state)
  return (
    <>
      <Summary audit={audit} />
      {audit.failed > 0 && audit.failed < audit.total && (
        <div class="form-actions">
          <Button
            isSmall
            isPressed={isFailedOnly.value}
            onPress={() => {
              isFailedOnly.value = !isFailedOnly.value
            }}
          >
            Failed cases only
          </Button>
        </div>
      )}
      {groups.map((group) => {
        const cases = shown.filter((one) => one.group === group)
        return (
          <Panel
            key={group}
            title={GROUP_TITLES[group] ?? group}
            isFlush
            tools={<GroupCount cases={cases} isRunning={audit.state === 'running'} />}
          >
            <ul class="audit-cases">
              {cases.map((one) => (
                <Case key={one.name} audited={one} isRunning={audit.state === 'running'} />
              ))}
            </ul>
          </Panel>
        )
      })}
    </>
  )
}

/** In the order of the audit while it runs; after that, those with failures come first. */
function groupsOf(cases: readonly AuditCase[], state: Audit['state']): readonly string[] {
  const groups = [...new Set(cases.map(({ group }) => group))]
  if (state === 'running') return groups
  const failed = new Set(cases.filter(({ outcome }) => outcome === 'failed').map(({ group }) => group))
  return [...groups.filter((group) => failed.has(group)), ...groups.filter((group) => !failed.has(group))]
}

function Summary({ audit }: { readonly audit: Audit }) {
  const { state, problem, done, total, failed } = audit
  const tone = state === 'running' ? 'plain' : failed > 0 || problem !== null ? 'bad' : 'good'
  return (
    <div class="verdict" data-tone={tone} role="status">
      <Icon name={state === 'running' ? 'clock' : tone === 'good' ? 'check' : 'warning'} />
      <div class="audit-summary">
        <strong>{sentenceOf(audit)}</strong>
        {problem !== null && <p>{problem}</p>}
        {state === 'running' && <progress aria-label="Cases that have run" value={done} max={total} />}
      </div>
    </div>
  )
}

function sentenceOf({ state, done, total, failed }: Audit): string {
  const ran = `${done} of ${countText(total, 'case', 'cases')}`
  const failures = failed === 0 ? 'none failed' : `${failed} failed`
  switch (state) {
    case 'running':
      return `${ran} ran so far, ${failures}.`
    case 'done':
      return failed === 0
        ? `The endpoint answered all ${countText(total, 'case', 'cases')} correctly.`
        : `The endpoint got ${failed} of ${countText(total, 'case', 'cases')} wrong.`
    case 'stopped':
      return `The audit stopped early: ${ran} ran, ${failures}.`
    case 'cancelled':
      return `The audit was cancelled: ${ran} ran, ${failures}.`
  }
}

interface GroupCountProps {
  readonly cases: readonly AuditCase[]
  readonly isRunning: boolean
}

function GroupCount({ cases, isRunning }: GroupCountProps) {
  const failed = cases.filter(({ outcome }) => outcome === 'failed').length
  const left = cases.filter(({ outcome }) => outcome === 'not-run').length
  if (failed > 0) return <Badge tone="bad">{failed} failed</Badge>
  if (left > 0) return <Badge tone="plain">{isRunning ? `${left} to come` : `${left} not run`}</Badge>
  return <Badge tone="good">{cases.length} passed</Badge>
}

interface CaseProps {
  readonly audited: AuditCase
  readonly isRunning: boolean
}

/** A failed case is open: what was expected, what came, what it costs and how to fix it. */
function Case({ audited, isRunning }: CaseProps) {
  const { name, title, outcome, expected, got, cost, fix } = audited
  if (outcome === 'not-run') {
    return (
      <li class="audit-case" data-outcome={outcome}>
        <span class="audit-case-line">
          <span class="audit-outcome">{isRunning ? 'to come' : 'not run'}</span>
          <span>{title}</span>
          <code class="soft">{name}</code>
        </span>
      </li>
    )
  }
  return (
    <li class="audit-case" data-outcome={outcome}>
      <details open={outcome === 'failed'}>
        <summary class="audit-case-line">
          <span class="audit-outcome">{outcome}</span>
          <span>{title}</span>
          <code class="soft">{name}</code>
        </summary>
        <div class="audit-case-text">
          <Facts
            facts={[
              ['Expected', expected],
              ['Got', got],
              [outcome === 'failed' ? 'What it costs' : 'A failure costs', cost],
              ['Fix', outcome === 'failed' && <strong>{fix}</strong>],
            ]}
          />
        </div>
      </details>
    </li>
  )
}
