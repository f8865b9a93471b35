import type { AttemptRecord } from './records.js'
import type { Cause } from '@service-signature/deliveries'
import { causeInAnswer, causeOfSilence, isOfSignature, isRefusal } from '@service-signature/deliveries/node'
import { jsonProblem, reprintChange } from './reprint.js'
import { verdictOf } from './verdict.js'

/** What another attempt shows about the endpoint. */
export interface Sighting {
  readonly delivery: string
  readonly at: number
  /**
   * A valid delivery whose body changes when it is re-serialized, or does not; a copy that is signed over the re-serialized body; one
   * with a wrong signature, with none, or with an old time.
   */
  readonly kind: 'changing' | 'stable' | 'reprinted' | 'forgery' | 'no-signature' | 'stale'
  readonly status: number
  readonly isAccepted: boolean
  readonly isRefused: boolean
}

/** Everything that a cause is found in. */
export interface Situation {
  /** Its id. */
  readonly delivery: string
  readonly attempt: AttemptRecord
  /** The body that was signed. */
  readonly body: string
  readonly url: string
  /** Of the secret in use. */
  readonly fingerprint: string
  /** Where the page shows the delivery. */
  readonly address: string
  /** A line of its answer. */
  readonly said: string | undefined
  /** Other attempts at the same endpoint. */
  readonly others: readonly Sighting[]
  /** The forgery that the endpoint accepted, if it has not refused one since. */
  readonly accepted: Sighting | undefined
}

/** Attempts further apart are not evidence: the endpoint may have been changed in between. */
const EVIDENCE_MS = 600_000

/** From here on an answer is slow, in milliseconds. */
const SLOW_MS = 5000

/** Why an endpoint did what it did, if that is not as it must be. */
export function findCause(situation: Situation): Cause | undefined {
  const { attempt, accepted } = situation
  switch (verdictOf(attempt)) {
    case 'refused-forgery':
      return undefined
    case 'no-answer':
      return causeOfSilence(attempt.error!, situation.url)
    case 'accepted':
      if (accepted !== undefined) return unverified(accepted)
      return attempt.durationMs < SLOW_MS ? undefined : slow(attempt)
    case 'accepted-forgery':
      return causeOfAcceptance(situation)
    default:
      return causeOfAnswer(situation) ?? causeOfRefusal(situation)
  }
}

/** What an attempt that was answered shows about the endpoint. */
export function kindOf({ faults }: Pick<AttemptRecord, 'faults'>, isStable = false): Sighting['kind'] {
  if (faults.length === 0) return isStable ? 'stable' : 'changing'
  if (faults.includes('reprinted')) return 'reprinted'
  if (faults.includes('no-signature')) return 'no-signature'
  return faults.every((fault) => fault === 'stale') ? 'stale' : 'forgery'
}

/** What the answer says of itself. */
function causeOfAnswer({ attempt, body, url, fingerprint }: Situation): Cause | undefined {
  const { at, durationMs, status, answer } = attempt
  const problem = status === 400 ? jsonProblem(body) : undefined
  if (problem !== undefined) {
    return {
      cause: 'not-json',
      certainty: 'known',
      title: 'The body is not JSON',
      detail: problem,
      fix: 'Compose an event that is JSON.',
    }
  }
  const sentBytes = Buffer.byteLength(body)
  return causeInAnswer({ ...answer!, url, sentBytes, at: at + durationMs, fingerprint })
}

function slow({ durationMs }: AttemptRecord): Cause {
  return {
    cause: 'slow',
    certainty: 'known',
    title: `Your endpoint took ${(durationMs / 1000).toFixed(1)} s`,
    detail: 'After 10 s a delivery has failed, and it is retried.',
    fix: 'Answer once the event is stored, and do the work after that.',
  }
}

function causeOfAcceptance(situation: Situation): Cause {
  const { attempt, delivery, others } = situation
  const status = attempt.status!
  if (!attempt.faults.includes('reprinted')) return unverified({ delivery, status, kind: kindOf(attempt) })
  const forgery = nearestTo(attempt.at, others, 'forgery')
  return forgery?.isAccepted === true ? unverified(forgery) : bodyReserialized(situation)
}

/** The endpoint accepts what it must refuse, as an attempt has shown. */
function unverified({ delivery, status, kind }: Pick<Sighting, 'delivery' | 'status' | 'kind'>): Cause {
  if (kind === 'stale') {
    return {
      cause: 'time-unchecked',
      certainty: 'known',
      title: 'Your endpoint does not check the time',
      detail: `It answered ${status} to a copy of ${delivery} that was signed an hour ago.`,
      fix: 'Refuse what was signed more than 300 s ago, or anyone who sees a delivery can send it again.',
    }
  }
  return {
    cause: 'unverified',
    certainty: 'known',
    title: 'Your endpoint accepts forgeries',
    detail: `It answered ${status} to a copy of ${delivery} with ${kind === 'no-signature' ? 'no' : 'a wrong'} signature, and has refused none since.`,
    fix: 'Verify first, as the first handler of the route, and answer after that.',
  }
}

/** A valid delivery was refused, and the answer does not say why. Then other attempts do. */
function causeOfRefusal(situation: Situation): Cause {
  const { attempt, body, fingerprint, others, address, said } = situation
  const status = attempt.status!
  const nearest = (kind: Sighting['kind']) => nearestTo(attempt.at, others, kind)
  const [copy, forgery, stable] = [nearest('reprinted'), nearest('forgery'), nearest('stable')]
  // An endpoint that accepts a wrong signature accepts everything, so its other answers prove nothing.
  if (forgery?.isAccepted === true) return unverified(forgery)
  const change = reprintChange(body)
  if (copy?.isAccepted === true && forgery !== undefined && change !== undefined)
    return bodyReserialized(situation)
  const other = copy ?? forgery
  if (other !== undefined && other.status !== status && isRefusal(other.status))
    return notTheSignature(situation, other)
  if (!isRefusal(status) && !isOfSignature(said ?? '')) return failed(status, nearest('no-signature'))
  // The nearest of all would be this attempt itself.
  const accepted = nearestTo(
    attempt.at,
    others.filter(({ isAccepted }) => isAccepted),
    'changing',
  )
  if (status === 403 && accepted !== undefined) return notTheSignature(situation, accepted)
  if (change !== undefined && stable?.isAccepted === true) return bodyReserialized(situation, stable)
  const command = `npx service-signature explain --request ${address}`
  if (status !== 401 && !isOfSignature(said ?? '')) {
    return {
      cause: 'rule',
      certainty: 'ask',
      title: 'The signature, or a rule of your own?',
      detail: `It answered ${status}, and does not name the signature. This delivery is valid, and signed with the secret ${fingerprint}.`,
      fix: 'Look for what answers this in your code, or in front of it.',
      command,
    }
  }
  const isUnchanged = change === undefined || stable?.isAccepted === false
  const isProbable = copy !== undefined || isUnchanged
  const evidence =
    copy !== undefined
      ? 'A copy that is signed over the re-serialized body was refused, too'
      : isUnchanged
        ? 'Its body, or another that was refused, stays the same when it is re-serialized'
        : `If your code or a proxy re-serializes the body, ${change}`
  return {
    cause: isProbable ? 'other-secret' : 'signature',
    certainty: isProbable ? 'probable' : 'ask',
    title: isProbable ? 'Probably another secret, or a changed body' : 'Another secret, or a changed body?',
    detail: `This delivery is valid, and signed with the secret ${fingerprint}. ${evidence}.`,
    fix: 'Give your endpoint the secret of this sandbox, and restart it. If it has that, verify the raw bytes: your code or a proxy changes the body or the header.',
    command,
  }
}

/** The endpoint gave another answer to another signature, or to another delivery. */
function notTheSignature({ attempt }: Situation, { status, isAccepted, kind }: Sighting): Cause {
  const answer = attempt.status!
  const detail = `It answered ${answer}, and ${status} to ${kind === 'changing' && isAccepted ? 'another delivery' : 'a forged copy'}: the signature is not the reason.`
  if (answer === 403) {
    return {
      cause: 'other-account',
      certainty: 'probable',
      title: 'Probably it expects another account or mode',
      detail,
      fix: 'Add the account and the mode of this delivery to "expect", or look for the rule of your own that refuses it.',
    }
  }
  const isOfHandler = answer >= 500
  return {
    cause: isOfHandler ? 'handler' : 'rule',
    certainty: 'probable',
    title: isOfHandler ? 'Probably your handler failed' : 'Probably a rule of your own refused it',
    detail,
    fix: isOfHandler
      ? 'Look for the error in the log of your endpoint.'
      : 'Look for what answers this in your code.',
  }
}

/** It failed for each signature. Our adapters look at the header before the body. */
function failed(status: number, unsigned: Sighting | undefined): Cause {
  if (unsigned !== undefined && isRefusal(unsigned.status)) {
    return {
      cause: 'body-consumed',
      certainty: 'probable',
      title: 'Probably a body parser took the body first',
      detail: `It answered ${status} to each signature, and ${unsigned.status} without one.`,
      fix: 'Mount the verification before every body parser. The log of your endpoint names the line to change.',
    }
  }
  return {
    cause: 'failed',
    certainty: 'ask',
    title: 'Its handler, or a body parser?',
    detail: `It answered ${status}: its handler failed, a body parser took the body before it could be verified, or an error handler answers this to every refusal.`,
    fix: 'Look for the error in the log of your endpoint.',
  }
}

function bodyReserialized({ body }: Situation, stable?: Sighting): Cause {
  const evidence =
    stable === undefined
      ? 'Your endpoint accepts a copy that is signed over the parsed and re-serialized body'
      : `Your endpoint accepted ${stable.delivery}, whose body stays the same when it is re-serialized`
  return {
    cause: 'body-reserialized',
    certainty: stable === undefined ? 'known' : 'probable',
    title: stable === undefined ? 'The body was re-serialized' : 'Probably the body was re-serialized',
    detail: `It changed before it was verified. ${evidence}. This one changes: ${reprintChange(body)!}.`,
    fix: 'Verify the raw bytes: before express.json() and every other parser, never JSON.stringify(req.body). If your code does so, a proxy in front of it re-serializes the body.',
  }
}

function nearestTo(
  time: number,
  sightings: readonly Sighting[],
  wanted: Sighting['kind'],
): Sighting | undefined {
  const distance = ({ at }: Sighting) => Math.abs(at - time)
  let nearest: Sighting | undefined
  for (const sighting of sightings) {
    if (sighting.kind !== wanted || distance(sighting) > EVIDENCE_MS) continue
    if (nearest === undefined || distance(sighting) <= distance(nearest)) nearest = sighting
  }
  return nearest
}
