import { useSignal } from '@preact/signals'
import { post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import type { SurvivalTest } from '../api/types.js'
import { Badge, type Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { causeSentence, CommandLine } from '../parts/cause.js'
import { Problem } from '../parts/empty.js'
import { CheckField } from '../parts/fields.js'
import { itemPath } from '../parts/links.js'
import './survival.css'

type Verdict = NonNullable<NonNullable<SurvivalTest['last_run']>['verdict']>

const BADGES: Readonly<Record<Verdict['outcome'], readonly [tone: Tone, word: string]>> = {
  passed: ['good', 'passed'],
  failed: ['bad', 'failed'],
  ask: ['wait', 'you decide'],
  stopped: ['plain', 'stopped'],
}

interface SurvivalTestsProps {
  readonly url: string
  /** Whether they are seen at first. */
  readonly isOpen: boolean
}

/** Tests an endpoint for what it must survive, one click each. */
export function SurvivalTests({ url, isOpen }: SurvivalTestsProps) {
  const isShown = useSignal(isOpen)
  return (
    <details
      class="survival"
      open={isShown.value}
      onToggle={({ currentTarget }) => {
        isShown.value = currentTarget.open
      }}
    >
      <summary>What it must survive</summary>
      {isShown.value && <Tests url={url} />}
    </details>
  )
}

function Tests({ url }: { readonly url: string }) {
  const path = `/_sandbox/survival/?url=${encodeURIComponent(url)}`
  const { data, problem, reload } = useResource<readonly SurvivalTest[]>(path, { kinds: ['survival'] })
  const tests = data.value ?? []
  const isRunning = tests.some(({ last_run: run }) => run?.is_running === true)
  return (
    <>
      {problem.value !== undefined && <Problem message={problem.value.message} onRetry={reload} />}
      <ul>
        {tests.map((test) => (
          <Test key={test.test} url={url} test={test} isRunning={isRunning} />
        ))}
      </ul>
    </>
  )
}

interface TestProps {
  readonly url: string
  readonly test: SurvivalTest
  /** Whether any test of the endpoint is. */
  readonly isRunning: boolean
}

function Test({ url, test: { test, title, sends, needs_consent, last_run: run }, isRunning }: TestProps) {
  const isAllowed = useSignal(false)
  const start = () => post('/_sandbox/survival/', { url, test, allow_remote: isAllowed.value })
  const verdict = run?.verdict ?? null
  return (
    <li>
      <Button
        isSmall
        label={`Test: ${title}`}
        isDisabled={isRunning || (needs_consent && !isAllowed.value)}
        onPress={async () => {
          await start()
        }}
      >
        Test
      </Button>
      <div class="survival-test">
        <p>
          <strong>{title}</strong> <span class="soft">{sends}</span>
        </p>
        {needs_consent && (
          <CheckField
            label="It is not on this machine, and may get a burst"
            isChecked={isAllowed.value}
            onChange={(isChecked) => {
              isAllowed.value = isChecked
            }}
          />
        )}
        <div role="status">
          {run?.is_running === true && (
            <progress aria-label={`Answers: ${title}`} value={run.done} max={run.total} />
          )}
          {verdict !== null && <VerdictView verdict={verdict} />}
        </div>
      </div>
    </li>
  )
}

function VerdictView({ verdict }: { readonly verdict: Verdict }) {
  const { outcome, title, detail, fix, unseen, command, deliveries, audit } = verdict
  const [tone, word] = BADGES[outcome]
  return (
    <div class="survival-verdict">
      <p>
        <Badge tone={tone}>{word}</Badge> <strong>{causeSentence(title)}</strong> {detail}
      </p>
      {fix !== null && <p>{fix}</p>}
      {unseen !== null && <p class="soft">Not seen from here: {unseen}</p>}
      {command !== null && <CommandLine command={command} />}
      <p class="survival-links">
        {deliveries.map((id) => (
          <a class="mono" key={id} href={itemPath('deliveries', id)}>
            {id}
          </a>
        ))}
        {audit !== null && <a href={itemPath('audits', audit)}>The audit of it</a>}
      </p>
    </div>
  )
}
