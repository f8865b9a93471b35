import type { AttemptReport, Forgery } from '@service-signature/deliveries'
import type { Scope } from '../accounts/records.js'
import { unknown } from '../http/refusal.js'
import type { Store } from '../store/store.js'
import { bytesOf, declareKind } from '../store/table.js'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'lost'] as const
export const SOURCES = ['payment', 'composed'] as const

/** An event that is sent to an endpoint, with all attempts. */
export interface Delivery {
  readonly id: string
  readonly type: string
  /** Missing on an event that was composed without an intent. */
  readonly intentId?: string | undefined
  /** The transaction that it announces, if a payment made it. */
  readonly transactionId?: string | undefined
  readonly source: (typeof SOURCES)[number]
  /** Whether it was composed, or its intent was made on the page. By default only such deliveries get checks. */
  readonly isOwn: boolean
  /** What makes each of its attempts a forgery, if it was composed so. */
  readonly forgeries: readonly Forgery[]
  /** Whether it is sent again after an attempt that failed. */
  readonly isRetried: boolean
  /** Text such as "1,234.50 EUR", if the event is about an amount. */
  readonly amount?: string | undefined
  readonly url: string
  /** The account and mode whose API key signs v1; the intent itself may be gone by then. */
  readonly scope: Scope
  readonly keyId?: string | undefined
  /** The text whose UTF-8 bytes are signed. */
  readonly body: string
  /** Whether the body stays the same when it is parsed and re-serialized. */
  readonly isStable: boolean
  readonly created: number
  readonly status: (typeof DELIVERY_STATUSES)[number]
  /** How many retries of the schedule were planned. */
  readonly retries: number
  /** The time of the next attempt, if one is planned. */
  readonly nextAttemptAt?: number | undefined
  readonly attempts: readonly AttemptRecord[]
}

/** A request to an endpoint, and its outcome. */
export interface AttemptRecord {
  readonly at: number
  readonly durationMs: number
  /** What was done to it on purpose. */
  readonly faults: readonly Forgery[]
  /** Whether it is a copy that the sandbox has sent to find a cause, besides the schedule. */
  readonly isCheck: boolean
  /** That of the answer. */
  readonly status: number | undefined
  /** Why there is no answer. */
  readonly error: string | undefined
  /** The value of `Service-Signature`, if it was sent. */
  readonly signature: string | undefined
  /** What was sent in place of the body of the delivery. */
  readonly changedBody: string | undefined
  /** What the endpoint answered. Its body is the beginning. */
  readonly answer: AttemptReport['answer'] | undefined
}

export const DELIVERIES = declareKind<Delivery>({
  name: 'delivery',
  limit: 'keep',
  bytesOf: ({ body, attempts }) => bytesOf([body, ...attempts.flatMap(textsOf)]),
})

/** What can be set while the sandbox runs, besides its faults. */
export interface StoredSettings {
  readonly id: 'settings'
  /** Where the events of intents without a `webhook_url` go. */
  readonly defaultEndpoint: string | undefined
}

export const SETTINGS = declareKind<StoredSettings>({ name: 'settings' })

function textsOf({ changedBody, answer }: AttemptRecord): readonly (string | undefined)[] {
  return [changedBody, answer?.body, ...Object.values(answer?.headers ?? {}).flat()]
}

/** @throws {Refusal} if the id does not exist */
export function findDelivery(store: Store, id: string): Delivery {
  const delivery = store.get(DELIVERIES, id)
  if (delivery === undefined) throw unknown('id', 'Delivery not found')
  return delivery
}

/** What was sent in an attempt. */
export function sentIn(delivery: Delivery, { changedBody, signature }: AttemptRecord) {
  const body = changedBody ?? delivery.body
  return { headers: headersOf(body, signature), body }
}

/** The headers of a request with this body. */
export function headersOf(body: string, signature: string | undefined): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'service-signature-sandbox',
    // The service documents the name as case-sensitive.
    ...(signature !== undefined && { 'Service-Signature': signature }),
  }
}

/** What is printed, recorded and exported of an attempt. */
export function reportAttempt(delivery: Delivery, made: AttemptRecord): AttemptReport {
  const { id, type, url, created, attempts } = delivery
  const { at, faults, answer = null, error = null, durationMs } = made
  const attempt = attempts.indexOf(made) + 1
  const sent = sentIn(delivery, made)
  return { delivery: id, attempt, type, url, created, at, ...sent, faults, answer, error, durationMs }
}
