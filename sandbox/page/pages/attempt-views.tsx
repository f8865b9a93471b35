import { Fragment } from 'preact'
import type { Attempt, Explanation } from '../api/types.js'
import { durationText } from '../format.js'
import { OutcomeBadge } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { CopyButton } from '../parts/button.js'

const SIGNATURE = 'Service-Signature'

export interface AttemptProps {
  readonly attempt: Attempt
  /** Undefined until it is loaded. */
  readonly explanation: Explanation | undefined
}

/** The signature taken apart, the other headers, and why the request verifies or does not. */
export function RequestView({ attempt: { headers }, explanation }: AttemptProps) {
  const value = headers[SIGNATURE]
  const others = Object.entries(headers).filter(([name]) => name !== SIGNATURE)
  return (
    <>
      <div class="view-tools">
        <h3>{SIGNATURE}</h3>
        {value !== undefined && <CopyButton text={value} label="Copy the header" />}
      </div>
      {value === undefined ? (
        <p class="view-text">This request had no {SIGNATURE}: it was left out on purpose.</p>
      ) : (
        <HeaderList headers={value.split(',').map((element) => element.split('=', 2))} />
      )}
      <h3 class="view-tools">Other headers</h3>
      <HeaderList headers={others} />
      <div class="view-tools">
        <h3>Does it verify?</h3>
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
    <dl class="facts header-list">
      {headers.map(([name, value]) => (
        <Fragment key={name}>
          <dt class="mono">{String(name)}</dt>
          <dd class="mono">{[value].flat().join(', ')}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** What the endpoint answered. */
export function AnswerView({
  attempt: { answer, error, duration_ms, verdict },
}: {
  readonly attempt: Attempt
}) {
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
