import type { Attempt, Delivery, Fault } from '../api/types.js'
import { durationText } from '../format.js'
import { Badge, VERDICT_TONES, verdictWords } from '../parts/badge.js'
import { Ago, Countdown } from '../parts/times.js'

const FAULT_WORDS: Readonly<Record<Fault, string>> = {
  tamper: 'tampered',
  stale: 'stale',
  'wrong-secret': 'wrong secret',
  'no-signature': 'no signature',
}

interface TimelineProps {
  readonly delivery: Delivery
  readonly current: number | undefined
  readonly onSelect: (number: number) => void
}

/** The attempts that were made, of which one is shown, and those that are planned. */
export function Timeline({ delivery, current, onSelect }: TimelineProps) {
  const { attempts, schedule, status } = delivery
  const planned = schedule.filter(({ state }) => state === 'planned')
  return (
    <ol class="timeline" aria-label="Attempts">
      {attempts.map((attempt) => (
        <li key={attempt.number} data-state="made">
          <button
            type="button"
            class="timeline-entry"
            aria-pressed={attempt.number === current}
            onClick={() => {
              onSelect(attempt.number)
            }}
          >
            <Made attempt={attempt} />
          </button>
        </li>
      ))}
      {planned.map(({ number, at }, index) => (
        <li key={number} data-state="planned">
          <div class="timeline-entry">
            <span class="timeline-line">
              <span>Attempt {number}</span>
              <span class="soft">{index === 0 ? 'planned' : 'if that fails'}</span>
            </span>
            <span class="soft">
              <Countdown to={at} />
            </span>
          </div>
        </li>
      ))}
      {status !== 'pending' && (
        <li data-state="end">
          <div class="timeline-entry soft">
            {status === 'delivered' ? 'Delivered: it is not retried.' : 'Given up: every retry failed.'}
          </div>
        </li>
      )}
    </ol>
  )
}

function Made({ attempt }: { readonly attempt: Attempt }) {
  const { number, at, faults, verdict, answer, duration_ms } = attempt
  return (
    <>
      <span class="timeline-line">
        <span class="timeline-number">Attempt {number}</span>
        <Badge tone={VERDICT_TONES[verdict]}>{answer?.status ?? 'no answer'}</Badge>
      </span>
      <span class="timeline-line soft">
        <Ago at={at} />
        <span>{durationText(duration_ms)}</span>
      </span>
      {faults.length > 0 && (
        <span class="timeline-faults" data-tone={VERDICT_TONES[verdict]}>
          {verdictWords(verdict)}: {faults.map((fault) => FAULT_WORDS[fault]).join(', ')}
        </span>
      )}
    </>
  )
}
