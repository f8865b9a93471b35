import Type, { type Static } from 'typebox'
import { verdictOf } from '../deliveries/verdict.js'
import { isoTimestamp } from '../store/clock.js'
import { listOf } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { exactly, orNull, ref, text, textOrNull, whole } from '../http/schema.js'
import type { Service } from '../deliveries/service.js'
import { deliverySummaries, deliverySummarySchema } from '../deliveries/routes-view.js'
import { DELIVERIES, type AttemptRecord, type Delivery } from '../deliveries/records.js'
import { groupBy } from '../deliveries/kind.js'

const milliseconds = orNull(Type.Number(), { description: 'Of the attempts with an answer' })

const MAX_ERRORS = 5

const lastError = exactly({
  at: text,
  delivery: text,
  type: text,
  attempts: Type.Integer({ description: 'How many attempts of the delivery were not accepted' }),
  status: orNull(whole),
  error: textOrNull,
})

export const endpointSchema = exactly(
  {
    url: text,
    deliveries: whole,
    pending: whole,
    dead: whole,
    lost: whole,
    attempts: whole,
    accepted: Type.Integer({ description: 'The attempts with a valid signature and time that got a 2xx' }),
    success_rate: orNull(Type.Number(), {
      description: 'The accepted part of all attempts with a valid signature and time, from 0 to 1',
    }),
    median_ms: milliseconds,
    p95_ms: milliseconds,
    last_at: orNull(text, { description: 'The time of the last attempt' }),
    last_errors: Type.Array(lastError, {
      description: `The newest attempt with a valid signature and time that was not accepted, of the last ${MAX_ERRORS} deliveries with one`,
    }),
    forgeries_accepted: whole,
    last: Type.Union([ref(deliverySummarySchema), Type.Null()], {
      description:
        'The delivery of the last attempt, or of a forgery that was accepted while no later one was refused',
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
  const count = { pending: 0, dead: 0, lost: 0, attempts: 0, accepted: 0, forgeries_accepted: 0 }
  const durations: number[] = []
  const failed: { readonly delivery: Delivery; readonly attempts: readonly AttemptRecord[] }[] = []
  let failures = 0
  let lastCreated = -Infinity
  let lastAttempt = -Infinity
  let lastForgery = -Infinity
  let last: Delivery | undefined
  let accepted: Delivery | undefined
  // One walk: there may be 10,000.
  for (const delivery of deliveries) {
    const { created, status, attempts } = delivery
    const refused: AttemptRecord[] = []
    if (status !== 'delivered') count[status]++
    lastCreated = Math.max(lastCreated, created)
    for (const attempt of attempts) {
      const verdict = verdictOf(attempt)
      count.attempts++
      if (verdict === 'accepted') count.accepted++
      else if (verdict === 'accepted-forgery') count.forgeries_accepted++
      else if (attempt.faults.length === 0) refused.push(attempt)
      if (attempt.status !== undefined) durations.push(attempt.durationMs)
      if (attempt.at > lastAttempt) {
        lastAttempt = attempt.at
        last = delivery
      }
      // A body that is printed again has a cause of its own.
      const isForgery = verdict.endsWith('-forgery') && !attempt.faults.includes('reprinted')
      if (isForgery && attempt.at > lastForgery) {
        lastForgery = attempt.at
        accepted = verdict === 'accepted-forgery' ? delivery : undefined
      }
    }
    failures += refused.length
    if (refused.length > 0) failed.push({ delivery, attempts: refused })
  }
  const sorted = Float64Array.from(durations).sort()
  const valid = count.accepted + failures
  const view = {
    url,
    deliveries: deliveries.length,
    ...count,
    success_rate: valid === 0 ? null : count.accepted / valid,
    median_ms: quantile(sorted, 0.5),
    p95_ms: quantile(sorted, 0.95),
    last_at: count.attempts === 0 ? null : isoTimestamp(lastAttempt),
    last_errors: failed
      .sort((a, b) => b.attempts.at(-1)!.at - a.attempts.at(-1)!.at)
      .slice(0, MAX_ERRORS)
      .map(({ delivery: { id, type }, attempts }) => {
        const { at, status = null, error = null } = attempts.at(-1)!
        return { at: isoTimestamp(at), delivery: id, type, attempts: attempts.length, status, error }
      }),
  }
  return { view, last: accepted ?? last, lastUse: Math.max(lastCreated, lastAttempt) }
}

/** The smallest value that is not below this part of all values. */
function quantile(sorted: Float64Array, part: number): number | null {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? null
}
