import Type, { type Static } from 'typebox'
import { verdictOf } from '../deliveries/verdict.js'
import { isoTimestamp } from '../clock.js'
import { listOf } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { exactly, orNull, text, textOrNull, whole } from '../schema.js'
import type { Service } from '../service.js'
import type { Delivery } from '../store/records.js'
import { groupBy } from './kinds/kind.js'

const milliseconds = orNull(Type.Number(), { description: 'Of the attempts with an answer' })

const MAX_ERRORS = 5

const lastError = exactly({ at: text, delivery: text, status: orNull(whole), error: textOrNull })

export const endpointSchema = exactly(
  {
    url: text,
    deliveries: whole,
    pending: whole,
    dead: whole,
    attempts: whole,
    accepted: Type.Integer({ description: 'The attempts with a valid signature and time that got a 2xx' }),
    success_rate: orNull(Type.Number(), {
      description: 'The accepted part of all attempts with a valid signature and time, from 0 to 1',
    }),
    median_ms: milliseconds,
    p95_ms: milliseconds,
    last_at: orNull(text, { description: 'The time of the last attempt' }),
    last_errors: Type.Array(lastError, {
      description: `The newest ${MAX_ERRORS} attempts with a valid signature and time that were not accepted`,
    }),
    forgeries_accepted: whole,
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
    () => listOf(viewEndpoints(service.store.newestFirst('delivery'))),
  )
}

function viewEndpoints(newestFirst: readonly Delivery[]): readonly Static<typeof endpointSchema>[] {
  return [...groupBy(newestFirst, ({ url }) => url)]
    .map(([url, deliveries]) => ({ url, deliveries, lastUse: latest(deliveries.flatMap(timesOf)) }))
    .sort((a, b) => b.lastUse - a.lastUse)
    .map(({ url, deliveries }) => viewEndpoint(url, deliveries))
}

function timesOf({ created, attempts }: Delivery): readonly number[] {
  return [created, ...attempts.map(({ at }) => at)]
}

function viewEndpoint(url: string, deliveries: readonly Delivery[]): Static<typeof endpointSchema> {
  const attempts = deliveries.flatMap(({ id, attempts }) =>
    attempts.map((attempt) => ({ attempt, delivery: id, verdict: verdictOf(attempt) })),
  )
  const answered = attempts.filter(({ attempt }) => attempt.status !== undefined)
  const durations = Float64Array.from(answered, ({ attempt }) => attempt.durationMs).sort()
  const valid = attempts.filter(({ attempt }) => attempt.faults.length === 0)
  const failed = valid.filter(({ verdict }) => verdict !== 'accepted')
  const accepted = valid.length - failed.length
  const inState = (wanted: Delivery['status']) => deliveries.filter(({ status }) => status === wanted).length
  return {
    url,
    deliveries: deliveries.length,
    pending: inState('pending'),
    dead: inState('dead'),
    attempts: attempts.length,
    accepted,
    success_rate: valid.length === 0 ? null : accepted / valid.length,
    median_ms: quantile(durations, 0.5),
    p95_ms: quantile(durations, 0.95),
    last_at: attempts.length === 0 ? null : isoTimestamp(latest(attempts.map(({ attempt }) => attempt.at))),
    last_errors: failed
      .sort((a, b) => b.attempt.at - a.attempt.at)
      .slice(0, MAX_ERRORS)
      .map(({ attempt: { at, status, error }, delivery }) => ({
        at: isoTimestamp(at),
        delivery,
        status: status ?? null,
        error: error ?? null,
      })),
    forgeries_accepted: attempts.filter(({ verdict }) => verdict === 'accepted-forgery').length,
  }
}

function latest(times: readonly number[]): number {
  return times.reduce((last, time) => Math.max(last, time), -Infinity)
}

/** The smallest value that is not below this part of all values. */
function quantile(sorted: Float64Array, part: number): number | null {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? null
}
