import { get } from '../api/client.js'
import type { Attempt, Delivery, Fault } from '../api/types.js'
import { durationText } from '../format.js'
import { Badge, VERDICT_TONES, verdictWords } from '../parts/badge.js'
import { Button, CopyButton } from '../parts/button.js'
import { CopiedId } from '../parts/links.js'
import { Facts, Panel } from '../parts/panel.js'
import { Ago, Countdown, FullTime } from '../parts/times.js'

/** The forgeries that can be asked for. */
export const FORGERIES: readonly (readonly [fault: Fault, title: string, hint: string])[] = [
  ['tamper', 'Tampered', 'The amount is changed after signing'],
  ['stale', 'Stale', 'The timestamp is an hour old'],
  ['wrong-secret', 'Wrong secret', 'Signed with another secret and another key'],
  ['no-signature', 'No signature', 'Without the header Service-Signature'],
]

const EXPORTS = { curl: 'curl', fixture: 'Fixture', vector: 'Test vector', har: 'HAR' }

interface DeliverySideProps {
  readonly delivery: Delivery
  /** The attempt that is shown, if one was made. */
  readonly attempt: Attempt | undefined
  readonly onSelect: (number: number) => void
  /** Sends it once more as a forgery. */
  readonly onForge: (fault: Fault) => Promise<void>
}

/** The attempts, and what can be done with them. */
export function DeliverySide({ delivery, attempt, onSelect, onForge }: DeliverySideProps) {
  const { id, url, account, created } = delivery
  const file = `/_sandbox/deliveries/${id}/export/?attempt=${attempt?.number}`
  return (
    <div class="delivery-side">
      <Timeline delivery={delivery} attempt={attempt} onSelect={onSelect} />
      <Panel title="Send a forgery">
        <p class="soft">Your endpoint must refuse each of these.</p>
        <div class="forgeries">
          {FORGERIES.map(([fault, title, hint]) => (
            <Button key={fault} isSmall title={hint} onPress={() => onForge(fault)}>
              {title}
            </Button>
          ))}
        </div>
      </Panel>
      {attempt !== undefined && (
        <Panel title="Copy as">
          <div class="forgeries">
            {Object.entries(EXPORTS).map(([format, label]) => (
              <CopyButton key={format} label={label} text={() => exported(`${file}&format=${format}`)} />
            ))}
          </div>
          <p class="soft">A test vector contains the signing secret of the sandbox.</p>
        </Panel>
      )}
      <Panel title="Delivery">
        <Facts
          facts={[
            ['Id', <CopiedId id={id} />],
            ['To', <a href={`/deliveries/?endpoint=${encodeURIComponent(url)}`}>{url}</a>],
            ['Account', <code>{account}</code>],
            ['Created', <FullTime at={created} />],
          ]}
        />
      </Panel>
    </div>
  )
}

/** A file, which is not in an envelope. An error is in one. */
async function exported(path: string): Promise<string> {
  const response = await fetch(path)
  return response.ok ? response.text() : get<string>(path)
}

const ENDINGS = {
  delivered: 'Delivered: it is not retried.',
  dead: 'Given up: every retry failed.',
  lost: 'Lost: a fault kept it from being sent.',
} as const

/** The attempts that were made, of which one is shown, and those that are planned. */
function Timeline({ delivery, attempt: current, onSelect }: Omit<DeliverySideProps, 'onForge'>) {
  const { attempts, schedule, status } = delivery
  const planned = schedule.filter(({ state }) => state === 'planned')
  return (
    <ol class="timeline points" aria-label="Attempts">
      {attempts.map((attempt) => (
        <li key={attempt.number} data-tone={VERDICT_TONES[attempt.verdict]}>
          <button
            type="button"
            class="timeline-entry"
            aria-pressed={attempt === current}
            onClick={() => {
              onSelect(attempt.number)
            }}
          >
            {madeAttempt(attempt)}
          </button>
        </li>
      ))}
      {planned.map(({ number, at }, index) => (
        <li key={number} data-state="planned">
          <div class="timeline-entry">
            <span>Attempt {number}</span>
            <span class="soft">
              {index > 0 && 'if that fails, '}
              <Countdown to={at} />
            </span>
          </div>
        </li>
      ))}
      {status !== 'pending' && (
        <li data-state="end">
          <div class="timeline-entry soft">{ENDINGS[status]}</div>
        </li>
      )}
    </ol>
  )
}

function madeAttempt({ number, at, faults, verdict, answer, duration_ms, is_check: isCheck }: Attempt) {
  const names = faults.map((name) => FORGERIES.find(([fault]) => fault === name)?.[1] ?? 're-serialized')
  return (
    <>
      <span class="timeline-line">
        <span class="timeline-number">Attempt {number}</span>
        <Badge tone={faults.length > 0 ? 'plain' : VERDICT_TONES[verdict]}>
          {answer?.status ?? 'no answer'}
        </Badge>
      </span>
      <span class="timeline-line soft">
        <Ago at={at} />
        <span>{durationText(duration_ms)}</span>
      </span>
      {names.length > 0 && (
        <span class="timeline-faults" data-tone={VERDICT_TONES[verdict]}>
          {isCheck && 'check: '}
          {verdictWords(verdict)}: {names.join(', ').toLowerCase()}
        </span>
      )}
    </>
  )
}
