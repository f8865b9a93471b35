import { GROUP_TITLES } from '@service-signature/audit/groups'
import { useMemo } from 'preact/hooks'
import { cancelAudit, type AuditCase, type AuditRun } from '../api/audit-run.js'
import { countText, shortUrl } from '../format.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icons.js'
import { Facts, Panel } from '../parts/panel.js'
import './audit.css'

/** The last audit of this page. */
export function AuditResult({ run }: { readonly run: AuditRun }) {
  const { cases, state, ended } = run
  const isRunning = state === 'running'
  const failed = cases.filter(({ outcome }) => outcome === 'failed')
  return (
    <>
      <Panel
        title={shortUrl(run.url)}
        isFlush
        tools={
          isRunning ? (
            <Button kind="danger" isSmall onPress={cancelAudit}>
              Cancel
            </Button>
          ) : (
            ended !== undefined && (
              <>
                <Download name="audit.html" type="text/html" text={ended.html} label="HTML" />
                <Download name="audit.xml" type="application/xml" text={ended.junit} label="JUnit" />
              </>
            )
          )
        }
      >
        <Summary run={run} failed={failed.length} />
      </Panel>
      {!isRunning && failed.length > 0 && <Fixes failed={failed} />}
      {groupsOf(cases, isRunning).map((group) => {
        const members = cases.filter((one) => one.group === group)
        return (
          <Panel key={group} title={GROUP_TITLES[group]} isFlush tools={countOf(members, isRunning)}>
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

interface DownloadProps {
  readonly name: string
  readonly type: string
  readonly text: string
  readonly label: string
}

function Download({ name, type, text, label }: DownloadProps) {
  const address = useMemo(() => URL.createObjectURL(new Blob([text], { type })), [text, type])
  return (
    <a class="button small" href={address} download={name}>
      {label}
    </a>
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
function groupsOf(cases: readonly AuditCase[], isRunning: boolean): readonly AuditCase['group'][] {
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

function Summary({ run, failed }: { readonly run: AuditRun; readonly failed: number }) {
  const { state, problem, cases, ended } = run
  const total = cases.length
  const done = cases.filter(({ outcome }) => outcome !== 'not-run').length
  const conclusion = ended?.report.conclusion ?? null
  const sentence = sentenceOf(state, { done, total, failed })
  const tone = state === 'running' ? 'plain' : failed > 0 || problem !== null ? 'bad' : 'good'
  return (
    <div class="verdict" data-tone={tone} role="status">
      <Icon name={state === 'running' ? 'clock' : tone === 'good' ? 'check' : 'warning'} />
      <div class="audit-summary">
        <strong>{conclusion ?? sentence}</strong>
        {conclusion !== null && <p>{sentence}</p>}
        {problem !== null && <p>{problem}</p>}
        {state === 'running' && <progress aria-label="Cases that have run" value={done} max={total} />}
        {ended?.report.notes.map((note) => (
          <p class="soft" key={note}>
            {note}
          </p>
        ))}
      </div>
    </div>
  )
}

interface Counts {
  readonly done: number
  readonly total: number
  readonly failed: number
}

function sentenceOf(state: AuditRun['state'], { done, total, failed }: Counts): string {
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
