import type { ComponentChildren } from 'preact'

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
  return <Badge tone={status < 300 ? 'good' : status < 500 ? 'wait' : 'bad'}>{status}</Badge>
}
