import { useId, useRef } from 'preact/hooks'
import { useResource } from '../api/resource.js'
import type { Attempt, Explanation } from '../api/types.js'
import { durationText } from '../format.js'
import { OutcomeBadge, VERDICTS } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { CopiedCode, CopyButton } from '../parts/button.js'
import { useFilters } from '../parts/filters.js'
import { Icon } from '../parts/icons.js'
import { Facts } from '../parts/panel.js'
import { SecretLine } from './first-steps.js'

const SIGNATURE = 'Service-Signature'

interface AttemptProps {
  readonly attempt: Attempt
  /** Undefined until it is loaded. */
  readonly explanation: Explanation | undefined
}

/** What the endpoint did with an attempt and why, and below it everything that was sent and answered. */
export function AttemptView({ delivery, attempt }: { readonly delivery: string; readonly attempt: Attempt }) {
  const path = `/_sandbox/deliveries/${delivery}/explain/?attempt=${attempt.number}`
  const explanation = useResource<Explanation>(path, { kinds: ['organization', 'key'] }).data.value
  return (
    <>
      <Verdict attempt={attempt} explanation={explanation} />
      <AttemptTabs attempt={attempt} explanation={explanation} />
    </>
  )
}

/** The cause, what the endpoint answered, what to do, and what differs from a valid delivery. */
function Verdict({ attempt, explanation }: AttemptProps) {
  const { cause, answer, verdict, verdict_text: sentence } = attempt
  const said = attempt.said ?? answer?.body.trim().slice(0, 200)
  const { tone } = VERDICTS[verdict]
  // "It answered 500." alone repeats the sentence.
  const hasDetail = cause !== null && !sentence.toLowerCase().endsWith(cause.detail.toLowerCase())
  const isAboutSecret = cause?.cause === 'other-secret' || cause?.cause === 'signature'
  return (
    <div class="verdict" data-tone={cause === null ? tone : 'bad'} role="status">
      <Icon name={tone === 'good' && cause === null ? 'check' : 'warning'} />
      <div>
        <strong>{cause === null ? sentence : cause.title}</strong>
        {cause !== null && <p>{sentence}</p>}
        {said && (
          <p class="cut" title={said}>
            It says: <code>{said}</code>
          </p>
        )}
        {hasDetail && <p>{cause.detail}</p>}
        {explanation?.on_purpose.map((difference) => (
          <p key={difference}>{difference}</p>
        ))}
        {cause !== null && <p class="fix">{cause.fix}</p>}
        {isAboutSecret && <SecretLine />}
        {cause?.command != null && (
          <div>
            <p class="hint">With the WEBHOOK_SECRET of your endpoint:</p>
            <CopiedCode text={cause.command} label="Copy the command" />
          </div>
        )}
      </div>
    </div>
  )
}

const TABS = { body: 'Body', request: 'Request', answer: 'Answer' } as const
type TabName = keyof typeof TABS

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Everything that was sent and answered, of which the address names the part. The arrow keys lead from one to the next. */
function AttemptTabs({ attempt, explanation }: AttemptProps) {
  const [{ view }, setFilters] = useFilters()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const names = Object.keys(TABS) as TabName[]
  const current = names.find((name) => name === view) ?? 'body'
  const select = (name: TabName) => setFilters({ view: name === 'body' ? undefined : name })
  function move(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (names.indexOf(current) + step + names.length) % names.length
    select(names[next]!)
    ;(list.current!.children[next] as HTMLElement).focus()
  }
  return (
    <section class="panel delivery-main" aria-label="Attempt">
      <div role="tablist" aria-label="Attempt" class="tab-list" ref={list} onKeyDown={move}>
        {names.map((name) => (
          <button
            type="button"
            role="tab"
            class="tab"
            key={name}
            id={`${id}-${name}`}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => select(name)}
          >
            {TABS[name]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {current === 'body' && <BodyView text={attempt.body} change={explanation?.change} />}
        {current === 'request' && <RequestView attempt={attempt} explanation={explanation} />}
        {current === 'answer' && <AnswerView attempt={attempt} />}
      </div>
    </section>
  )
}

/** The signature taken apart, the other headers, and why the request verifies or does not. */
function RequestView({ attempt: { headers }, explanation }: AttemptProps) {
  const value = headers[SIGNATURE]
  const others = Object.entries(headers).filter(([name]) => name !== SIGNATURE)
  return (
    <>
      <div class="view-tools">
        <h2>{SIGNATURE}</h2>
        {value !== undefined && <CopyButton text={value} label="Copy the header" />}
      </div>
      {value === undefined ? (
        <p class="view-text">This request had no {SIGNATURE}: it was left out on purpose.</p>
      ) : (
        <HeaderList headers={value.split(',').map((element) => element.split('=', 2))} />
      )}
      <h2 class="view-tools">Other headers</h2>
      <HeaderList headers={others} />
      <div class="view-tools">
        <h2>Does it verify?</h2>
        {explanation !== undefined && <CopyButton text={explanation.text} label="Copy the report" />}
      </div>
      <pre class="code" tabIndex={0} aria-label="Report">
        {explanation?.text ?? 'Looking for the reason.'}
      </pre>
    </>
  )
}

function HeaderList({ headers }: { readonly headers: readonly (readonly unknown[])[] }) {
  return (
    <div class="view-text mono">
      <Facts facts={headers.map(([name, value]) => [String(name), [value].flat().join(', ')])} />
    </div>
  )
}

/** What the endpoint answered. */
function AnswerView({ attempt: { answer, error, duration_ms, verdict } }: Pick<AttemptProps, 'attempt'>) {
  const duration = durationText(duration_ms)
  if (answer === null) {
    return (
      <p class="view-text">
        There is no answer: {error}. The sandbox waited {duration}.
      </p>
    )
  }
  return (
    <>
      <div class="view-tools">
        <OutcomeBadge verdict={verdict} status={answer.status} error={null} />
        <span class="soft">after {duration}</span>
      </div>
      <HeaderList headers={Object.entries(answer.headers)} />
      {answer.body === '' ? (
        <p class="view-text soft">The answer has no body.</p>
      ) : (
        <BodyView text={answer.body} />
      )}
    </>
  )
}
