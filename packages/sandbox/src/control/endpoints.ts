import Type, { type Static } from 'typebox'
import { verdictOf } from '../deliveries/verdict.js'
import { isoTimestamp } from '../events/timestamps.js'
import { listOf } from '../http/envelope.js'
import { operation, type App } from '../http/operation.js'
import { exactly, orNull, text, textOrNull, whole } from '../schema.js'
import type { Service } from '../service.js'
import type { AttemptRecord, Delivery } from '../store/records.js'

const milliseconds = orNull(Type.Number(), { description: 'Of the attempts with an answer' })

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
      description: 'The newest 5 attempts with a valid signature and time that were not accepted',
    }),
    forgeries_accepted: whole,
  },
  { $id: 'Endpoint' },
)

const MAX_ERRORS = 5

/** What the deliveries say about each endpoint. */
export function endpoints(app: App, service: Service): void {
  app.get(
    '/endpoints/',
    {
      schema: operation({
        id: 'listEndpoints',
        summary: 'Every address that deliveries were sent to, the last used one first',
        isOwn: true,
        data: endpointSchema,
        isList: true,
      }),
    },
    () => listOf(viewEndpoints(service.store.newestFirst('delivery'))),
  )
}

function viewEndpoints(newestFirst: Iterable<Delivery>): readonly Static<typeof endpointSchema>[] {
  const byUrl = new Map<string, EndpointRecord>()
  for (const delivery of newestFirst) {
    const record = byUrl.get(delivery.url) ?? new EndpointRecord()
    byUrl.set(delivery.url, record)
    record.add(delivery)
  }
  return [...byUrl]
    .sort(([, a], [, b]) => b.lastUse - a.lastUse)
    .map(([url, record]) => ({ url, ...record.view() }))
}

/** Adds up the deliveries to one address. */
class EndpointRecord {
  /** The time of the last attempt, or of the newest delivery if none was made. */
  lastUse = -Infinity
  #lastAttempt: number | undefined
  #deliveries = 0
  #pending = 0
  #dead = 0
  #attempts = 0
  #valid = 0
  #accepted = 0
  #forgeriesAccepted = 0
  readonly #durations: number[] = []
  readonly #errors: { readonly attempt: AttemptRecord; readonly delivery: string }[] = []

  add({ id, status, created, attempts }: Delivery): void {
    this.#deliveries++
    if (status === 'pending') this.#pending++
    if (status === 'dead') this.#dead++
    this.lastUse = Math.max(this.lastUse, created)
    for (const attempt of attempts) this.#addAttempt(attempt, id)
  }

  #addAttempt(attempt: AttemptRecord, delivery: string): void {
    this.#attempts++
    this.#lastAttempt = Math.max(this.#lastAttempt ?? -Infinity, attempt.at)
    this.lastUse = Math.max(this.lastUse, attempt.at)
    if (attempt.status !== undefined) this.#durations.push(attempt.durationMs)
    const verdict = verdictOf(attempt)
    if (verdict === 'accepted-forgery') this.#forgeriesAccepted++
    if (attempt.faults.length > 0) return
    this.#valid++
    if (verdict === 'accepted') this.#accepted++
    else this.#addError(attempt, delivery)
  }

  /** Keeps the newest ones. */
  #addError(attempt: AttemptRecord, delivery: string): void {
    const errors = this.#errors
    if (errors.length === MAX_ERRORS && errors.at(-1)!.attempt.at >= attempt.at) return
    errors.push({ attempt, delivery })
    errors.sort((a, b) => b.attempt.at - a.attempt.at)
    errors.length = Math.min(errors.length, MAX_ERRORS)
  }

  view() {
    const durations = Float64Array.from(this.#durations).sort()
    return {
      deliveries: this.#deliveries,
      pending: this.#pending,
      dead: this.#dead,
      attempts: this.#attempts,
      accepted: this.#accepted,
      success_rate: this.#valid === 0 ? null : this.#accepted / this.#valid,
      median_ms: quantile(durations, 0.5),
      p95_ms: quantile(durations, 0.95),
      last_at: this.#lastAttempt === undefined ? null : isoTimestamp(this.#lastAttempt),
      last_errors: this.#errors.map(({ attempt: { at, status, error }, delivery }) => ({
        at: isoTimestamp(at),
        delivery,
        status: status ?? null,
        error: error ?? null,
      })),
      forgeries_accepted: this.#forgeriesAccepted,
    }
  }
}

/** The smallest value that is not below this part of all values. */
function quantile(sorted: Float64Array, part: number): number | null {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? null
}
