import { createHash } from 'node:crypto'
import { organizationOf } from '../accounts/organization.js'
import type { Model } from '../faults/model.js'
import { DELIVERIES, type AttemptRecord, type Delivery } from './records.js'
import type { Cause, Sighting } from './cause.js'
import { endpointOf } from './checks.js'
import { findCause } from './find-cause.js'
import { isAccepted, isUnexpected } from './verdict.js'

/** Of so many of the newest deliveries, each attempt is looked at. */
const LOOKED_AT = 1000

/** Finds causes in what is stored. It looks at the endpoints once, so it lasts for one answer. */
export class Causes {
  readonly #model: Pick<Model, 'store'> & { readonly origin: string }
  #sightings: ReadonlyMap<string, readonly Sighting[]> | undefined

  constructor(model: Pick<Model, 'store'> & { readonly origin: string }) {
    this.#model = model
  }

  /** That of the newest attempt which is not a forgery that was refused. */
  ofDelivery(delivery: Delivery): Cause | undefined {
    const newestFirst = [...delivery.attempts].reverse()
    const attempt = newestFirst.find((each) => each.faults.length === 0 || isUnexpected(each))
    return attempt && this.of(delivery, attempt)
  }

  /** Why the endpoint did not do what it must; undefined if it did. */
  of(delivery: Delivery, attempt: AttemptRecord): Cause | undefined {
    if (!isUnexpected(attempt)) return undefined
    const { store, origin } = this.#model
    const { id, url, body } = delivery
    this.#sightings ??= sightingsIn(store.list(DELIVERIES).slice(-LOOKED_AT))
    return findCause({
      attempt,
      body,
      url,
      fingerprint: fingerprintOf(organizationOf(this.#model).secret),
      address: `${origin}/deliveries/${id}/`,
      // An old delivery is not among the newest.
      others: [this.#sightings, sightingsIn([delivery])].flatMap((each) => each.get(endpointOf(url)) ?? []),
    })
  }
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
      const sighting = { delivery: id, at, kind, status, isAccepted: isAccepted(attempt) }
      const list = sightings.get(endpoint)
      if (list === undefined) sightings.set(endpoint, [sighting])
      else list.push(sighting)
    }
  }
  return sightings
}

function kindOf({ faults }: AttemptRecord, isStable: boolean): Sighting['kind'] {
  if (faults.length > 0) return faults.includes('reprinted') ? 'reprinted' : 'forgery'
  return isStable ? 'stable' : 'changing'
}
