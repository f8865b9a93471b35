import { hasAmount } from '@service-signature/deliveries/node'
import type { AttemptRecord } from './records.js'
import type { Forgery } from '@service-signature/deliveries'

/** What an attempt says about the endpoint. Forgeries are requests that the sandbox spoiled on purpose. */
export const VERDICTS = ['accepted', 'refused', 'no-answer', 'accepted-forgery', 'refused-forgery'] as const

export type Verdict = (typeof VERDICTS)[number]

/** The part of an attempt that decides. */
type Outcome = Pick<AttemptRecord, 'status' | 'error' | 'faults'>

/** From here on an answer is slow, in milliseconds. */
const SLOW_MS = 5000

/** The service does not document which answer it expects; the sandbox accepts every 2xx. */
export function isAccepted({ status }: Pick<AttemptRecord, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300
}

export function verdictOf(attempt: Outcome): Verdict {
  if (attempt.status === undefined) return 'no-answer'
  const verdict = isAccepted(attempt) ? 'accepted' : 'refused'
  return attempt.faults.length === 0 ? verdict : `${verdict}-forgery`
}

/** Whether the endpoint did what a correct one does. */
export function isAsItMustBe(attempt: Outcome): boolean {
  const verdict = verdictOf(attempt)
  return verdict === 'accepted' || verdict === 'refused-forgery'
}

/** Whether there is something to explain: it is not as it must be, or is slow. */
export function isUnexpected(attempt: Outcome & Pick<AttemptRecord, 'durationMs'>): boolean {
  return !isAsItMustBe(attempt) || (attempt.faults.length === 0 && attempt.durationMs >= SLOW_MS)
}

/** The verdict in one sentence. */
export function verdictText(attempt: Outcome, body: string): string {
  const { status, error, faults } = attempt
  if (status === undefined) return `There is no answer: ${error!}.`
  const forged = faults.map((forgery) => reasonOf(forgery, body)).join(', ')
  switch (verdictOf(attempt)) {
    case 'accepted-forgery':
      return `Your endpoint accepted a forgery: ${forged}, and it answered ${status}.`
    case 'refused-forgery':
      return `Refused, as it must: ${forged}, and your endpoint answered ${status}.`
    case 'accepted':
      return `Your endpoint accepted it: it answered ${status}.`
    default:
      return `Your endpoint refused a valid delivery: it answered ${status}.`
  }
}

function reasonOf(forgery: Forgery, body: string): string {
  switch (forgery) {
    case 'tamper':
      return `the ${hasAmount(body) ? 'amount' : 'body'} was changed after signing`
    case 'stale':
      return 'it was signed an hour ago'
    case 'wrong-secret':
      return 'it was signed with another secret'
    case 'no-signature':
      return 'it had no signature'
    case 'reprinted':
      return 'its signature was that of the body printed again'
  }
}
