import Type, { type Static } from 'typebox'
import { verdictOf } from '../deliveries/verdict.js'
import { listOf } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { exactly, orNull, ref, text, whole } from '../http/schema.js'
import type { Service } from '../deliveries/sending.js'
import { deliverySummaries, deliverySummarySchema } from '../deliveries/routes-view.js'
import { DELIVERIES, type Delivery } from '../deliveries/records.js'
import { groupBy } from '../deliveries/kind.js'

export const endpointSchema = exactly(
  {
    url: text,
    deliveries: whole,
    pending: whole,
    success_rate: orNull(Type.Number(), {
      description: 'The accepted part of all attempts with a valid signature and time, from 0 to 1',
    }),
    forgeries_accepted: whole,
    last: Type.Union([ref(deliverySummarySchema), Type.Null()], {
      description: 'The delivery of the last attempt',
    }),
  },
  { $id: 'Endpoint' },
)

/** What the deliveries say about each endpoint. */
export function endpoints(app: App, service: Service): void {
  new Operations(app).add(
    'GET /endpoints/',
    {
      id: 'listEndpoints',
      summary: 'Every address that deliveries were sent to, the last used one first',
      items: endpointSchema,
    },
    () => listOf(viewEndpoints(service)),
  )
}

function viewEndpoints(service: Service): readonly Static<typeof endpointSchema>[] {
  const viewDelivery = deliverySummaries(service)
  return [...groupBy(service.store.newestFirst(DELIVERIES), ({ url }) => url)]
    .map(([url, deliveries]) => viewEndpoint(url, deliveries))
    .sort((a, b) => b.lastUse - a.lastUse)
    .map(({ view, last }) => ({ ...view, last: last === undefined ? null : viewDelivery(last) }))
}

function viewEndpoint(url: string, deliveries: readonly Delivery[]) {
  let pending = 0
  let accepted = 0
  let refused = 0
  let acceptedForgeries = 0
  let lastCreated = -Infinity
  let lastAttempt = -Infinity
  let last: Delivery | undefined
  // One walk: there may be 10,000.
  for (const delivery of deliveries) {
    const { created, status, attempts } = delivery
    if (status === 'pending') pending++
    lastCreated = Math.max(lastCreated, created)
    for (const attempt of attempts) {
      const verdict = verdictOf(attempt)
      if (verdict === 'accepted') accepted++
      else if (verdict === 'accepted-forgery') acceptedForgeries++
      else if (attempt.faults.length === 0) refused++
      if (attempt.at > lastAttempt) {
        lastAttempt = attempt.at
        last = delivery
      }
    }
  }
  const view = {
    url,
    deliveries: deliveries.length,
    pending,
    success_rate: accepted + refused === 0 ? null : accepted / (accepted + refused),
    forgeries_accepted: acceptedForgeries,
  }
  return { view, last, lastUse: Math.max(lastCreated, lastAttempt) }
}
