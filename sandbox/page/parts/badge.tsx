import type { ComponentChildren } from 'preact'
import type { LastAttempt, Verdict } from '../api/types.js'

/** What a color means. A word always says the same. */
export type Tone = 'good' | 'bad' | 'wait' | 'plain' | 'accent'

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  )
}

export function ModeBadge({ isLive }: { readonly isLive: boolean }) {
  return <Badge tone={isLive ? 'accent' : 'plain'}>{isLive ? 'live' : 'test'}</Badge>
}

const TONES: Readonly<Record<string, Tone>> = {
  // deliveries
  delivered: 'good',
  pending: 'wait',
  dead: 'bad',
  lost: 'bad',
  // intents and transactions
  PROCESSED: 'good',
  SUCCESSFUL: 'good',
  FAILED: 'bad',
  CREATED: 'plain',
  PENDING: 'wait',
  // keys, providers, audits
  active: 'good',
  revoked: 'bad',
  passed: 'good',
  failed: 'bad',
  running: 'wait',
}

const WORDS: Readonly<Record<string, string>> = { dead: 'given up' }

/** The status of anything. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge tone={TONES[status] ?? 'wait'}>{WORDS[status] ?? status.toLowerCase().replaceAll('_', ' ')}</Badge>
  )
}

/** The status of an HTTP answer, or that there was no answer. */
export function HttpStatus({ status }: { readonly status: number | null }) {
  if (status === null) return <Badge tone="bad">no answer</Badge>
  return <Badge tone={status < 300 ? 'good' : status < 400 ? 'wait' : 'bad'}>{status}</Badge>
}

/** What a verdict means for the merchant: an accepted forgery is as bad as a refused event. */
export const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = {
  accepted: 'good',
  'accepts-forgeries': 'bad',
  refused: 'bad',
  'no-answer': 'bad',
  'accepted-forgery': 'bad',
  'refused-forgery': 'good',
}

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  accepted: 'accepted',
  'accepts-forgeries': 'accepts forgeries',
  refused: 'refused',
  'no-answer': 'no answer',
  'accepted-forgery': 'forgery accepted',
  'refused-forgery': 'forgery refused',
}

type Outcome = Pick<LastAttempt, 'verdict' | 'status' | 'error'>

/** The outcome of an attempt: the status of the answer, and words where that does not say enough. Only the words have a color then. */
export function OutcomeBadge({ verdict, status, error }: Outcome) {
  const isPlain = verdict === 'accepted' || verdict === 'refused'
  return (
    <span class="outcome" title={error ?? undefined}>
      {status !== null && <Badge tone={isPlain ? VERDICT_TONES[verdict] : 'plain'}>{status}</Badge>}
      {!isPlain && <Badge tone={VERDICT_TONES[verdict]}>{VERDICT_WORDS[verdict]}</Badge>}
    </span>
  )
}

export function verdictWords(verdict: Verdict): string {
  return VERDICT_WORDS[verdict]
}
