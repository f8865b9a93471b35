import type { AttemptRecord } from './records.js'
import { causeInAnswer, causeOfSilence, isRefusal } from './answer-causes.js'
import type { Cause, Sighting, Situation } from './cause.js'
import { reprintChange } from './reprint.js'
import { isUnexpected, verdictOf } from './verdict.js'

/** Attempts further apart are not evidence: the endpoint may have been changed in between. */
const EVIDENCE_MS = 600_000

/** Why an endpoint did what it did, if that is not as it must be. */
export function findCause(situation: Situation): Cause | undefined {
  const { attempt } = situation
  if (!isUnexpected(attempt)) return undefined
  switch (verdictOf(attempt)) {
    case 'no-answer':
      return causeOfSilence(situation)
    case 'accepted':
      return slow(attempt)
    case 'accepted-forgery':
      return causeOfAcceptance(situation)
    default:
      return causeInAnswer(situation) ?? causeOfRefusal(situation)
  }
}

function slow({ durationMs }: AttemptRecord): Cause {
  return {
    cause: 'slow',
    certainty: 'known',
    title: `Your endpoint took ${(durationMs / 1000).toFixed(1)} s`,
    detail: 'After 10 s a delivery has failed, and it is sent again.',
    fix: 'Answer once the event is stored, and do the work after that.',
  }
}

function causeOfAcceptance(situation: Situation): Cause {
  const { faults, status, at } = situation.attempt
  if (faults.includes('reprinted')) {
    return acceptedCopy(situation, nearestTo(at, situation.others, 'changing')?.status, status!)
  }
  if (faults.every((fault) => fault === 'stale')) {
    return {
      cause: 'time-unchecked',
      certainty: 'known',
      title: 'Your endpoint does not check the time',
      detail: `It answered ${status!} to a delivery that was signed an hour ago.`,
      fix: 'Refuse what was signed more than 300 s ago, or anyone who sees a delivery can send it again.',
    }
  }
  return {
    cause: 'unverified',
    certainty: 'known',
    title: 'Your endpoint accepts forgeries',
    detail: `It answered ${status!} to a copy with a wrong signature. It does not verify, or it answers before it has verified.`,
    fix: 'Verify first, as the first handler of the route, and answer after that.',
  }
}

/** A valid delivery was refused, and the answer does not say why. Then other attempts do. */
function causeOfRefusal(situation: Situation): Cause {
  const { attempt, body, fingerprint, others, address } = situation
  const status = attempt.status!
  const nearest = (kind: Sighting['kind']) => nearestTo(attempt.at, others, kind)
  const [copy, forgery, stable] = [nearest('reprinted'), nearest('forgery'), nearest('stable')]
  const change = reprintChange(body)
  if (copy?.isAccepted === true && change !== undefined) return acceptedCopy(situation, status, copy.status)
  const other = copy ?? forgery
  if (other !== undefined && !other.isAccepted && isRefusal(other.status) && !isRefusal(status)) {
    return {
      cause: 'handler',
      certainty: 'probable',
      title: 'Probably your handler failed',
      detail: `It answered ${status}, and ${other.status} to a forged copy: the signature is not the reason.`,
      fix: 'Look for the error in the log of your endpoint.',
    }
  }
  if (!isRefusal(status)) return failed(status)
  // The nearest of all would be this attempt itself.
  const accepted = nearestTo(
    attempt.at,
    others.filter(({ isAccepted }) => isAccepted),
    'changing',
  )
  if (status === 403 && (accepted !== undefined || isOfTheAdapters(attempt))) return otherAccount()
  if (change !== undefined && stable?.isAccepted === true) return bodyReprinted(situation, stable)
  const command = `npx service-signature explain --request ${address}`
  const isUnchanged = change === undefined || stable?.isAccepted === false
  if (copy !== undefined || isUnchanged) {
    return {
      cause: 'other-secret',
      certainty: 'probable',
      title: 'Probably another secret',
      detail: `This delivery is valid, and signed with the secret ${fingerprint}. ${
        copy === undefined
          ? 'Its body, or another that was refused, stays the same when it is printed again.'
          : 'A copy that is signed as if the body were printed again was refused, too.'
      }`,
      fix: 'Give your endpoint the secret of this sandbox, and restart it. If it has that, a proxy changes the body or the header.',
      command,
    }
  }
  return {
    cause: 'signature',
    certainty: 'ask',
    title: 'Another secret, or a changed body?',
    detail: `This delivery is valid, and signed with the secret ${fingerprint}. If your code or a proxy prints the body again, ${change}.`,
    fix: 'Compare the secrets, and pass the raw body to the verification.',
    command,
  }
}

/** An adapter of this project answers 403 for nothing else. */
function isOfTheAdapters({ answer }: AttemptRecord): boolean {
  return answer?.headers['content-type'] === 'application/problem+json'
}

function otherAccount(): Cause {
  return {
    cause: 'other-account',
    certainty: 'probable',
    title: 'Probably another account or mode than it expects',
    detail: 'It answered 403, as it does to a valid delivery that "expect" does not name.',
    fix: 'Add the account and the mode of this delivery to "expect", or send it elsewhere.',
  }
}

function failed(status: number): Cause {
  return {
    cause: 'failed',
    certainty: 'ask',
    title: 'Its handler, or a body parser?',
    detail: `It answered ${status}: its handler failed, a body parser took the body before it could be verified, or an error handler answers this to every refusal.`,
    fix: 'Look for the error in the log of your endpoint.',
  }
}

/** A copy of a refused delivery was accepted, which is signed as if the body were printed again. */
function acceptedCopy(situation: Situation, refusal: number | undefined, status: number): Cause {
  // Another status may be a failure of an endpoint that does not verify.
  if (refusal === undefined || isRefusal(refusal)) return bodyReprinted(situation)
  return {
    cause: 'unverified',
    certainty: 'known',
    title: 'Your endpoint does not verify the raw bytes',
    detail: `It answered ${status} to a copy whose signature is not that of its bytes. It does not verify, or it verifies a body that was printed again.`,
    fix: 'Verify the raw bytes, as the first handler of the route, before every parser.',
  }
}

function bodyReprinted({ body }: Situation, stable?: Sighting): Cause {
  const change = reprintChange(body)
  const evidence =
    stable === undefined
      ? 'Your endpoint accepts a copy that is signed as if the body were parsed and printed again'
      : `Your endpoint accepted ${stable.delivery}, whose body stays the same when it is printed again`
  return {
    cause: 'body-reprinted',
    certainty: stable === undefined ? 'known' : 'probable',
    title: stable === undefined ? 'The body was printed again' : 'Probably the body was printed again',
    detail: `It changed before it was verified. ${evidence}. This one changes: ${change!}.`,
    fix: 'Verify the raw bytes: before express.json() and every other parser, never JSON.stringify(req.body). If your code does so, a proxy in front of it prints the body again.',
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
