import type { LastAttempt, Verdict } from '../api/types.js'
import { Badge, type Tone } from './badge.js'

/** What a verdict means for the merchant: an accepted forgery is as bad as a refused event. */
export const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = {
  accepted: 'good',
  refused: 'bad',
  'no-answer': 'bad',
  'accepted-forgery': 'bad',
  'refused-forgery': 'good',
}

const WORDS: Readonly<Record<Verdict, string>> = {
  accepted: 'accepted',
  refused: 'refused',
  'no-answer': 'no answer',
  'accepted-forgery': 'forgery accepted',
  'refused-forgery': 'forgery refused',
}

type Outcome = Pick<LastAttempt, 'verdict' | 'status' | 'error'>

/** The outcome of an attempt: the status of the answer, and words where that does not say enough. */
export function OutcomeBadge({ verdict, status, error }: Outcome) {
  const isPlain = verdict === 'accepted' || verdict === 'refused'
  return (
    <span class="outcome" title={error ?? undefined}>
      {status !== null && <Badge tone={VERDICT_TONES[verdict]}>{status}</Badge>}
      {!isPlain && <Badge tone={VERDICT_TONES[verdict]}>{WORDS[verdict]}</Badge>}
    </span>
  )
}

export function verdictWords(verdict: Verdict): string {
  return WORDS[verdict]
}
