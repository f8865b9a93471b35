import type { Cause } from '@service-signature/deliveries'
import { answerLine, isOfSignature, isRefusal } from '@service-signature/deliveries/node'
import { createHash } from 'node:crypto'
import { organizationOf } from '../accounts/organization.js'
import type { Model } from '../faults/faults.js'
import { endpointOf } from './checks.js'
import { findCause, kindOf, type Sighting } from './find-cause.js'
import { DELIVERIES, type AttemptRecord, type Delivery } from './records.js'
import { isAccepted, verdictOf, type Verdict } from './verdict.js'

/** Of so many of the newest deliveries, each attempt is looked at. */
const LOOKED_AT = 1000

/** Finds causes in what is stored. It looks at the endpoints once, so it lasts for one answer. */
export class Causes {
  readonly #model: Pick<Model, 'store'> & { readonly origin: string }
  #sightings: ReadonlyMap<string, readonly Sighting[]> | undefined

  constructor(model: Pick<Model, 'store'> & { readonly origin: string }) {
    this.#model = model
  }

  /** That of the newest attempt which is neither a check nor a forgery that was refused. */
  ofDelivery(delivery: Delivery): Cause | undefined {
    const attempt = [...delivery.attempts]
      .reverse()
      .find((each) => !each.isCheck && verdictOf(each) !== 'refused-forgery')
    return attempt && this.of(delivery, attempt)
  }

  /** Why the endpoint did not do what it must; undefined if it did. */
  of(delivery: Delivery, attempt: AttemptRecord): Cause | undefined {
    const { id, url, body } = delivery
    // An old delivery is not among the newest.
    const others = [...this.#sightingsOf(url), ...(sightingsIn([delivery]).get(endpointOf(url)) ?? [])]
    const said = saidIn(attempt)
    const cause = findCause({
      delivery: id,
      attempt,
      body,
      url,
      fingerprint: fingerprintOf(organizationOf(this.#model).secret),
      address: `${this.#model.origin}/deliveries/${id}/`,
      said,
      others,
      accepted: acceptedForgery(others),
    })
    return cause && { ...cause, said }
  }

  /** What an attempt says about the endpoint: to accept is not good while it accepts forgeries, too. */
  verdict({ url }: Delivery, attempt: AttemptRecord): Verdict {
    const verdict = verdictOf(attempt)
    if (verdict !== 'accepted') return verdict
    return acceptedForgery(this.#sightingsOf(url)) === undefined ? 'accepted' : 'accepts-forgeries'
  }

  #sightingsOf(url: string): readonly Sighting[] {
    this.#sightings ??= sightingsIn(this.#model.store.list(DELIVERIES).slice(-LOOKED_AT))
    return this.#sightings.get(endpointOf(url)) ?? []
  }
}

/** A line of the answer to an attempt. */
export function saidIn({ answer }: AttemptRecord): string | undefined {
  return answer?.body === undefined ? undefined : answerLine(answer.body)
}

/** The `fingerprint` of core, without waiting. */
function fingerprintOf(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`
}

/** What the attempts show of each endpoint. */
function sightingsIn(deliveries: readonly Delivery[]): ReadonlyMap<string, readonly Sighting[]> {
  const sightings = new Map<string, Sighting[]>()
  for (const { id, url, isStable, attempts } of deliveries) {
    const endpoint = endpointOf(url)
    for (const attempt of attempts) {
      const { at, status } = attempt
      if (status === undefined) continue
      const kind = kindOf(attempt, isStable)
      const isRefused = isRefusal(status) || (attempt.isCheck && isOfSignature(saidIn(attempt) ?? ''))
      const sighting = { delivery: id, at, kind, status, isAccepted: isAccepted(attempt), isRefused }
      const list = sightings.get(endpoint)
      if (list === undefined) sightings.set(endpoint, [sighting])
      else list.push(sighting)
    }
  }
  return sightings
}

/** The newest forgery that was accepted while none was refused after it. An old time is refused for a reason of its own. */
function acceptedForgery(sightings: readonly Sighting[]): Sighting | undefined {
  const newest = new Map<boolean, Sighting>()
  for (const sighting of sightings) {
    const { kind, at, isAccepted, isRefused } = sighting
    if (!['forgery', 'no-signature', 'stale'].includes(kind) || !(isAccepted || isRefused)) continue
    const isAboutTime = kind === 'stale'
    if (at >= (newest.get(isAboutTime)?.at ?? -Infinity)) newest.set(isAboutTime, sighting)
  }
  return [...newest.values()].find(({ isAccepted }) => isAccepted)
}
