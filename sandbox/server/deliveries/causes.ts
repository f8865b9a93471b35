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

/** What a correct endpoint refuses. */
const FORGED = new Set<Sighting['kind']>(['forgery', 'no-signature', 'stale'])

/** What attempts show of an endpoint. */
interface Evidence {
  readonly sightings: readonly Sighting[]
  /** The forgery that it accepted, if it has not refused one since. */
  readonly accepted: Sighting | undefined
}

/** Finds causes in what is stored. It looks at the endpoints once, so it lasts for one answer. */
export class Causes {
  readonly #model: Pick<Model, 'store'> & { readonly origin: string }
  /** From the newest deliveries, of which the first was created then. */
  #known: { readonly since: number; readonly endpoints: ReadonlyMap<string, Evidence> } | undefined

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
    const { sightings: others, accepted } = this.#evidenceOf(delivery)
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
      accepted,
    })
    return cause && { ...cause, said }
  }

  /** What an attempt says about the endpoint: to accept is not good while it accepts forgeries, too. */
  verdict(delivery: Delivery, attempt: AttemptRecord): Verdict {
    const verdict = verdictOf(attempt)
    if (verdict !== 'accepted') return verdict
    return this.#evidenceOf(delivery).accepted === undefined ? 'accepted' : 'accepts-forgeries'
  }

  #evidenceOf(delivery: Delivery): Evidence {
    this.#known ??= knownFrom(this.#model.store.list(DELIVERIES).slice(-LOOKED_AT))
    const { since, endpoints } = this.#known
    const known = endpoints.get(endpointOf(delivery.url))
    if (known !== undefined && delivery.created >= since) return known
    // An old delivery is not among the newest.
    return evidenceOf([...(known?.sightings ?? []), ...sightingsOf(delivery)])
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

function knownFrom(newest: readonly Delivery[]) {
  const sightings = new Map<string, Sighting[]>()
  for (const delivery of newest) {
    const endpoint = endpointOf(delivery.url)
    const list = sightings.get(endpoint)
    if (list === undefined) sightings.set(endpoint, sightingsOf(delivery))
    else list.push(...sightingsOf(delivery))
  }
  const endpoints = new Map(Array.from(sightings, ([endpoint, list]) => [endpoint, evidenceOf(list)]))
  return { since: newest[0]?.created ?? 0, endpoints }
}

/** What the attempts of a delivery show of its endpoint. */
function sightingsOf({ id, isStable, attempts }: Delivery): Sighting[] {
  return attempts.flatMap((attempt) => {
    const { at, status } = attempt
    if (status === undefined) return []
    const kind = kindOf(attempt, isStable)
    const isRefused = isRefusal(status) || (attempt.isCheck && isOfSignature(saidIn(attempt) ?? ''))
    return { delivery: id, at, kind, status, isAccepted: isAccepted(attempt), isRefused }
  })
}

function evidenceOf(sightings: readonly Sighting[]): Evidence {
  return { sightings, accepted: acceptedForgery(sightings) }
}

/** The newest forgery that was accepted while none was refused after it. An old time is refused for a reason of its own. */
function acceptedForgery(sightings: readonly Sighting[]): Sighting | undefined {
  const newest = new Map<boolean, Sighting>()
  for (const sighting of sightings) {
    const { kind, at, isAccepted, isRefused } = sighting
    if (!FORGED.has(kind) || !(isAccepted || isRefused)) continue
    const isAboutTime = kind === 'stale'
    if (at >= (newest.get(isAboutTime)?.at ?? -Infinity)) newest.set(isAboutTime, sighting)
  }
  return [...newest.values()].find(({ isAccepted }) => isAccepted)
}
