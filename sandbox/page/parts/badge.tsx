import type { ComponentChildren } from 'preact'
import type { DeliverySummary, LastAttempt, Verdict } from '../api/types.js'

/** What a badge asks for: "bad" needs an act, "wait" a look, "accent" care. The others are quiet. A word always says the same. */
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
  // keys
  revoked: 'bad',
}

/** The status of anything. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge tone={TONES[status] ?? 'wait'}>
      {status === 'dead' ? 'failed' : status.toLowerCase().replaceAll('_', ' ')}
    </Badge>
  )
}

/** The status of an HTTP answer. */
export function HttpStatus({ status }: { readonly status: number }) {
  return <Badge tone={status < 300 ? 'good' : status < 400 ? 'wait' : 'bad'}>{status}</Badge>
}

/** What a verdict means for the merchant: an accepted forgery is as bad as a refused event. */
export const VERDICTS: Readonly<Record<Verdict, { readonly tone: Tone; readonly words: string }>> = {
  accepted: { tone: 'good', words: 'accepted' },
  'accepts-forgeries': { tone: 'bad', words: 'accepts forgeries' },
  refused: { tone: 'bad', words: 'refused' },
  'no-answer': { tone: 'bad', words: 'no answer' },
  'accepted-forgery': { tone: 'bad', words: 'forgery accepted' },
  'refused-forgery': { tone: 'good', words: 'forgery refused' },
}

/** The outcome of an attempt: the status of the answer, and words where that does not say enough. */
export function OutcomeBadge({ verdict, status, error }: Pick<LastAttempt, 'verdict' | 'status' | 'error'>) {
  const isPlain = verdict === 'accepted' || verdict === 'refused'
  const { tone, words } = VERDICTS[verdict]
  return (
    <span class="outcome" title={error ?? undefined}>
      {status !== null && <Badge tone={isPlain ? tone : 'plain'}>{status}</Badge>}
      {!isPlain && <Badge tone={tone}>{words}</Badge>}
    </span>
  )
}

/** Why an endpoint did not do what it must, in a row of a list. */
export function CauseTitle({ cause }: Pick<DeliverySummary, 'cause'>) {
  return (
    cause !== null && (
      <span class="cause-title" title={cause.title}>
        {cause.title}
      </span>
    )
  )
}
