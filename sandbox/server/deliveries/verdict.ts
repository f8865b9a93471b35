import { hasAmount, isRefusal } from '@service-signature/deliveries/node'
import type { AttemptRecord } from './records.js'
import type { Forgery } from '@service-signature/deliveries'

/**
 * What an attempt says about the endpoint. Forgeries are requests that the sandbox spoiled on purpose; an endpoint that
 * `accepts-forgeries` has accepted the attempt, and one of those.
 */
export const VERDICTS = [
  'accepted',
  'accepts-forgeries',
  'refused',
  'no-answer',
  'accepted-forgery',
  'refused-forgery',
] as const

export type Verdict = (typeof VERDICTS)[number]

/** The part of an attempt that decides. */
type Outcome = Pick<AttemptRecord, 'status' | 'error' | 'faults'>

/** The service does not document which answer it expects; the sandbox accepts every 2xx. */
export function isAccepted({ status }: Pick<AttemptRecord, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** That of the attempt alone, whatever the endpoint did with others. */
export function verdictOf(attempt: Outcome): Exclude<Verdict, 'accepts-forgeries'> {
  if (attempt.status === undefined) return 'no-answer'
  const verdict = isAccepted(attempt) ? 'accepted' : 'refused'
  return attempt.faults.length === 0 ? verdict : `${verdict}-forgery`
}

/** The verdict in one sentence. */
export function verdictText(attempt: Outcome, body: string, verdict: Verdict = verdictOf(attempt)): string {
  const { status, error, faults } = attempt
  if (status === undefined) return `There is no answer: ${error!}.`
  const forged = faults.map((forgery) => reasonOf(forgery, body)).join(', ')
  switch (verdict) {
    case 'accepted-forgery':
      return `Your endpoint accepted a forgery: ${forged}, and it answered ${status}.`
    case 'refused-forgery':
      return isRefusal(status)
        ? `Refused, as it must: ${forged}, and your endpoint answered ${status}.`
        : `Not accepted: ${forged}. Your endpoint answered ${status}, which refuses no signature.`
    case 'accepts-forgeries':
      return `Your endpoint accepted it: it answered ${status}. It accepts forgeries, too.`
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
      return 'its signature was that of the re-serialized body'
  }
}
