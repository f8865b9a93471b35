import { GROUP_TITLES as TITLES } from '@service-signature/audit/groups'
import type { Audit, AuditCase } from '../api/types.js'
import { post } from '../api/client.js'
import { countText, shortUrl } from '../format.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Facts, Panel } from '../parts/panel.js'
import { Icon } from '../parts/icons.js'
import { itemPage } from '../parts/item-page.js'
import { CopiedId } from '../parts/links.js'
import { FullTime } from '../parts/times.js'
import './audit.css'

/** What each group of cases sends. Without what it survives. */
export const GROUP_TITLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TITLES).filter(([group]) => group !== 'survives'),
)

/** One audit, while it runs and after that. */
export const AuditPage = itemPage<Audit>({
  path: '/_sandbox/audits/',
  kinds: ['audit'],
  title: ({ url }) => shortUrl(url),
  badges: auditBadge,
  actions: ({ id, url, state }) =>
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
      <>
        {(['html', 'junit'] as const).map((format) => (
          <a class="button" key={format} href={`/_sandbox/audits/${id}/report/?format=${format}`} download>
            {format === 'html' ? 'HTML' : 'JUnit'}
          </a>
        ))}
        <a class="button primary" href={`/audits/?url=${encodeURIComponent(url)}`}>
          Audit again
        </a>
      </>
    ),
  noun: 'Audit',
  facts: (audit) => [
    ['Endpoint', <CopiedId id={audit.url} label="Copy the address" />],
    ['Started', <FullTime at={audit.started} />],
    ['Ended', audit.ended && <FullTime at={audit.ended} />],
    ['Passed', String(audit.passed)],
    ['Failed', String(audit.failed)],
    ['Not run', String(audit.total - audit.done)],
  ],
  main: (audit) => <AuditResult audit={audit} />,
})

/** The result in a word. */
export function auditBadge({ state, failed }: Audit) {
  if (state === 'running') return <Badge tone="wait">running</Badge>
  if (failed > 0) return <Badge tone="bad">{failed} failed</Badge>
  return state === 'done' ? <Badge tone="good">passed</Badge> : <Badge tone="plain">{state}</Badge>
}

function AuditResult({ audit }: { readonly audit: Audit }) {
  const { cases } = audit
  const isRunning = audit.state === 'running'
  return (
    <>
      <Summary audit={audit} />
      {!isRunning && audit.failed > 0 && (
        <Fixes failed={cases.filter(({ outcome }) => outcome === 'failed')} />
      )}
      {groupsOf(cases, isRunning).map((group) => {
        const members = cases.filter((one) => one.group === group)
        return (
          <Panel key={group} title={GROUP_TITLES[group] ?? group} isFlush tools={countOf(members, isRunning)}>
            <ul>
              {members.map((one) => (
                <Case key={one.name} audited={one} isRunning={isRunning} />
              ))}
            </ul>
          </Panel>
        )
      })}
    </>
  )
}

/** How an endpoint can fail, the worst first. */
const WEAKNESSES: readonly AuditCase['weakness'][] = ['accepts', 'loses', 'leaks', 'fails']

/** What else a fault costs is said by each of its cases, further below. */
const SHOWN_COSTS = 3

/** One fix for each cause, with the cases that it is for. */
function Fixes({ failed }: { readonly failed: readonly AuditCase[] }) {
  const worstFirst = WEAKNESSES.flatMap((weakness) => failed.filter((one) => one.weakness === weakness))
  return (
    <Panel title="What to fix" isFlush>
      <ol class="fixes">
        {[...new Set(worstFirst.map(({ fix }) => fix))].map((fix) => {
          const cases = worstFirst.filter((one) => one.fix === fix)
          const costs = [...new Set(cases.map(({ cost }) => cost))]
          return (
            <li key={fix}>
              <strong>{fix}</strong>
              {costs.slice(0, SHOWN_COSTS).map((cost) => (
                <p class="soft" key={cost}>
                  {cost}
                </p>
              ))}
              <details>
                <summary>{countText(cases.length, 'case', 'cases')}</summary>
                <ul>
                  {cases.map(({ name, title, got, expected }) => (
                    <li key={name}>
                      {title}: got {got}, expected {expected}
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}

/** In the order of the audit while it runs; after that, those with failures come first. */
function groupsOf(cases: readonly AuditCase[], isRunning: boolean): readonly string[] {
  const groups = cases.map(({ group }) => group)
  const failed = cases.filter(({ outcome }) => outcome === 'failed').map(({ group }) => group)
  return [...new Set(isRunning ? groups : [...failed, ...groups])]
}

function countOf(cases: readonly AuditCase[], isRunning: boolean) {
  const count = (wanted: AuditCase['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length
  const left = count('not-run')
  if (count('failed') > 0) return <Badge tone="bad">{count('failed')} failed</Badge>
  if (left > 0) return <Badge tone="plain">{isRunning ? `${left} to come` : `${left} not run`}</Badge>
  return <Badge tone="good">{cases.length} passed</Badge>
}

function Summary({ audit }: { readonly audit: Audit }) {
  const { state, problem, done, total, failed } = audit
  const tone = state === 'running' ? 'plain' : failed > 0 || problem !== null ? 'bad' : 'good'
  return (
    <div class="verdict" data-tone={tone} role="status">
      <Icon name={state === 'running' ? 'clock' : tone === 'good' ? 'check' : 'warning'} />
      <div class="audit-summary">
        <strong>{audit.conclusion ?? sentenceOf(audit)}</strong>
        {audit.conclusion !== null && <p>{sentenceOf(audit)}</p>}
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

interface CaseProps {
  readonly audited: AuditCase
  readonly isRunning: boolean
}

/** What was expected, what came, and what a failure costs. */
function Case({ audited, isRunning }: CaseProps) {
  const { name, title, outcome, expected, got, cost } = audited
  const line = (
    <>
      <span class="audit-outcome">{outcome !== 'not-run' ? outcome : isRunning ? 'to come' : 'not run'}</span>
      <span>{title}</span>
      <code class="soft">{name}</code>
    </>
  )
  return (
    <li class="audit-case" data-outcome={outcome}>
      {outcome === 'not-run' ? (
        <span class="audit-case-line">{line}</span>
      ) : (
        <details>
          <summary class="audit-case-line">{line}</summary>
          <div class="audit-case-text">
            <Facts
              facts={[
                ['Expected', expected],
                ['Got', got],
                ['A failure costs', cost],
              ]}
            />
          </div>
        </details>
      )}
    </li>
  )
}
