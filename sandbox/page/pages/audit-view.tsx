import { useMemo } from 'preact/hooks'
import { cancelAudit, type AuditCase, type AuditRun } from '../api/audit-run.js'
import { countText, shortUrl } from '../format.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icons.js'
import { Panel } from '../parts/panel.js'
import './audit.css'

/** An audit while it runs, and its report. */
export function AuditView({ run }: { readonly run: AuditRun }) {
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
          {done} of {countText(total, 'case', 'cases')} ran, {failed} failed.
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
                {cases[0]!.cost} {countText(cases.length, 'case', 'cases')}.
              </p>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
