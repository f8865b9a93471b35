import type { Version } from '@service-signature/core'
import { createHash } from 'node:crypto'
import { describeAnswer, type Answer, type Answered, type Unanswered } from '../send/exchange.js'
import type { Sender, SenderKeys } from '../send/sender.js'
import type { Target } from '../send/target.js'

/** Why an audit ended before its last case. */
export interface Stop {
  /** `no-answer`: the endpoint does not answer at all. `refused`: it refuses valid deliveries. */
  readonly reason: 'no-answer' | 'refused'
  /** For people, in sentences. */
  readonly problem: string
}

// NTP-synced clocks differ by less than this.
const CLOCK_TOLERANCE_SECONDS = 30

/** After the valid deliveries that open an audit, when none of them was accepted. */
export function stopAfterOpening(answers: readonly Answer[], target: Target, sender: Sender): Stop {
  const answered = answers.find((answer) => answer.kind === 'answered')
  if (answered !== undefined) return { reason: 'refused', problem: refusal(answered, target, sender) }
  const last = answers.at(-1) as Unanswered
  return { reason: 'no-answer', problem: silence(last, answers.length, target) }
}

/** After a case, when a valid delivery is not answered any more. */
export function stopAfterCase(name: string, isSuspect: boolean, last: Answer): Stop {
  const since = isSuspect
    ? `The endpoint does not answer any more since the case "${name}" (${describeAnswer(last)}). ` +
      'If that delivery brought it down, fix this first.'
    : `The endpoint does not answer any more (${describeAnswer(last)}); the case "${name}" was the next. Was it stopped?`
  return { reason: 'no-answer', problem: `${since} Then audit it again.` }
}

function silence(last: Unanswered, count: number, { shown }: Target): string {
  switch (last.kind) {
    case 'unreachable':
      return `Cannot reach ${shown}: ${last.reason}. Is the endpoint running, and is the address right?`
    case 'silent':
      return (
        `${shown} accepts connections, but ${count} valid deliveries got ${last.reason} each. ` +
        'Does the handler send a response in every case? If it only takes longer, set a longer timeout.'
      )
    case 'closed':
      return `${shown} closes the connection without an answer to valid deliveries. Look at the log of the endpoint.`
  }
}

function refusal(answer: Answered, { shown }: Target, sender: Sender): string {
  const { status } = answer
  const start = `The endpoint answers ${status} to valid deliveries`
  if (status === 401 || status === 403) {
    const clock = clockNote(answer.date - sender.now())
    const { account, live } = sender
    const events = `events of the account ${account} in ${live ? 'live' : 'test'} mode`
    return [
      status === 401
        ? `${start}: most likely it has another key. The audit signed with ${keyNames(sender)}.`
        : `${start}: it expects another account or mode, or it has another key. The audit sent ${events}, signed with ${keyNames(sender)}.`,
      ...(clock === undefined ? [] : [clock]),
      'Nothing else was concluded, because a wrong key looks the same to every case.',
    ].join(' ')
  }
  if (status >= 500) return `${start}: it fails. Its log says why. Nothing else was concluded.`
  if (status < 400) return `${start}. No redirect is followed: is ${shown} the right address?`
  return [404, 405, 410].includes(status)
    ? `${start}: is ${shown} the right address, and does it accept POST?`
    : `${start}, although they are signed correctly. Its log says why. Nothing else was concluded.`
}

/** The keys that the required versions are signed with, by their fingerprints. */
function keyNames({ keys, versions }: Sender): string {
  const names = new Set(versions.map(keyOf))
  return [...names]
    .map((name) => `the ${name === 'secret' ? 'secret' : 'API key'} ${fingerprint(keys[name])}`)
    .join(' and ')
    .concat(` (${versions.join(', ')})`)
}

function keyOf(version: Version): keyof SenderKeys {
  return version === 'v1' ? 'apiKey' : 'secret'
}

/** How this project names a key that must not be shown. */
function fingerprint(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
}

/** Undefined if the endpoint's clock agrees with this one, or is unknown (NaN). */
export function clockNote(aheadSeconds: number): string | undefined {
  const seconds = Math.round(Math.abs(aheadSeconds))
  // Negated so that NaN counts as equal.
  if (!(seconds > CLOCK_TOLERANCE_SECONDS)) return undefined
  return `The endpoint's clock is ${seconds} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} this one.`
}
