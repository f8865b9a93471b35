import { useComputed } from '@preact/signals'
import type { PlaygroundCase, SignaturePlayground } from '@service-signature/playground'
import { useEffect, useRef } from 'preact/hooks'
import { post } from '../api/client.js'
import type { Attempt, Delivery, Explanation, Revealed } from '../api/types.js'
import { durationText, spanText, timeText } from '../format.js'
import { BodyView } from '../parts/body-view.js'
import { CopyButton } from '../parts/button.js'
import { causeSentence } from '../parts/cause.js'
import { now } from '../parts/times.js'
import { toastError } from '../parts/toasts.js'
import { OutcomeBadge } from '../parts/badge.js'

interface AttemptProps {
  readonly attempt: Attempt
}

const SIGNATURE = 'Service-Signature'

const MEANINGS: Readonly<Record<string, string>> = {
  v1: "HMAC of the timestamp and the body without white space, with the account's API key",
  v2: 'HMAC of the timestamp and the canonical JSON of the body, with the signing secret',
  v3: 'HMAC of the timestamp and the Base64 of the exact bytes, with the signing secret',
}

/** The signature header taken apart, and the other headers. */
export function SignatureView({ attempt: { headers, at } }: AttemptProps) {
  const value = headers[SIGNATURE]
  const others = Object.entries(headers).filter(([name]) => name !== SIGNATURE)
  return (
    <>
      <div class="view-tools">
        <h3>{SIGNATURE}</h3>
        {value !== undefined && <CopyButton text={value} />}
      </div>
      {value === undefined ? (
        <p class="view-text">This request had no {SIGNATURE}: it was left out on purpose.</p>
      ) : (
        <dl class="signature">
          {value.split(',').map((element) => {
            const [name = '', ...text] = element.split('=')
            return (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <code>{text.join('=')}</code>
                  <span class="soft">
                    {name === 't' ? (
                      <TimeMeaning seconds={Number(text[0])} sent={Date.parse(at)} />
                    ) : (
                      MEANINGS[name]
                    )}
                  </span>
                </dd>
              </div>
            )
          })}
        </dl>
      )}
      <div class="view-tools">
        <h3>Other headers</h3>
      </div>
      <HeaderList headers={others} />
    </>
  )
}

function TimeMeaning({ seconds, sent }: { readonly seconds: number; readonly sent: number }) {
  const before = Math.round(sent / 1000) - seconds
  const age = useComputed(() => spanText(now.value - seconds * 1000))
  return (
    <>
      Signed at {timeText(seconds * 1000)},{' '}
      {before < 2 ? 'when it was sent' : `${spanText(before * 1000)} before it was sent`}; now {age} old
    </>
  )
}

export function HeaderList({ headers }: { readonly headers: readonly (readonly [string, unknown])[] }) {
  return (
    <dl class="facts header-list">
      {headers.map(([name, value]) => (
        <>
          <dt class="mono">{name}</dt>
          <dd class="mono">{[value].flat().join(', ')}</dd>
        </>
      ))}
    </dl>
  )
}

/** What the endpoint answered. */
export function AnswerView({ attempt: { answer, error, duration_ms, verdict } }: AttemptProps) {
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

/** Why an attempt verifies or does not, as the command "explain" prints it. */
export function ExplanationView({ explanation }: { readonly explanation: Explanation | undefined }) {
  if (explanation === undefined) return <p class="view-text soft">Looking for the reason.</p>
  const { report, on_purpose: onPurpose, text } = explanation
  return (
    <>
      <div class="view-tools">
        <h3>Does it verify?</h3>
        <CopyButton text={text} />
      </div>
      {[...onPurpose, report.finding].map((sentence) => (
        <p class="view-text" key={sentence}>
          {sentence}
        </p>
      ))}
      <ul class="checks" aria-label="Checks, in the order in which the verifier makes them">
        {report.checks.map(({ name, outcome, detail }) => (
          <li key={name} data-outcome={outcome}>
            <span class="check-outcome">{outcome}</span>
            <span>{name}</span>
            <span class="soft">{detail}</span>
          </li>
        ))}
      </ul>
      <details class="whole-report" open={report.hypotheses.length > 0}>
        <summary>The report as the command line prints it</summary>
        <pre class="code" tabIndex={0} aria-label="Report">
          {text}
        </pre>
      </details>
    </>
  )
}

interface StepsViewProps extends AttemptProps {
  readonly delivery: Delivery
}

/** How each digest is made, and what a change of the body, the header or the secret does. */
export function StepsView({ delivery, attempt }: StepsViewProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let isShown = true
    const load = async () => {
      // It is larger than the rest of the page, so it is loaded only here.
      const [{ SignaturePlayground }, revealed] = await Promise.all([
        import('@service-signature/playground'),
        post<Revealed>('/_sandbox/keys/reveal/'),
      ])
      if (!isShown) return
      const element: SignaturePlayground = new SignaturePlayground()
      element.toggleAttribute('embedded', true)
      place.current!.replaceChildren(element)
      // The signature does not show what the endpoint did with the delivery.
      const { cause, verdict_text: verdict } = attempt
      const remark = cause === null ? undefined : `${verdict} ${causeSentence(cause.title)}`
      await element.setCase(caseOf(delivery, attempt, revealed), remark)
    }
    load().catch(toastError)
    return () => {
      isShown = false
    }
  }, [delivery.id, attempt.number, attempt.cause?.title])
  return <div class="steps" ref={place} />
}

function caseOf(delivery: Delivery, attempt: Attempt, revealed: Revealed): PlaygroundCase {
  const keys = revealed.keys.filter(
    ({ account, is_live, is_revoked }) =>
      account === delivery.account && is_live === delivery.is_live && !is_revoked,
  )
  return {
    header: attempt.headers[SIGNATURE] ?? null,
    body: attempt.body,
    secret: revealed.webhook_signature_secret,
    apiKey: keys.map((key) => key.api_key),
    versions: ['v1', 'v2', 'v3'],
    receivedAt: Date.parse(attempt.at),
  }
}
