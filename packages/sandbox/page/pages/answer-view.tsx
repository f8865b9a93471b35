import type { Attempt } from '../api/types.js'
import { durationText } from '../format.js'
import { BodyView } from '../parts/body-view.js'
import { OutcomeBadge } from '../parts/badge.js'
import { HeaderList } from './signature-view.js'

/** What the endpoint answered to one attempt. */
export function AnswerView({ attempt }: { readonly attempt: Attempt }) {
  const { answer, error, duration_ms, verdict } = attempt
  if (answer === null) {
    return (
      <p class="view-text">
        There is no answer: {error}. The sandbox waited {durationText(duration_ms)}.
      </p>
    )
  }
  return (
    <>
      <div class="view-tools">
        <OutcomeBadge verdict={verdict} status={answer.status} error={null} />
        <span class="soft">after {durationText(duration_ms)}</span>
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
