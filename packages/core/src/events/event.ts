import type { SignatureProof } from '../signature/proof.js'
import { FAMILIES, type IntentPayload, type TransactionPayload } from './payloads.js'
import { code, type EventIssue, record, string } from './schema.js'

/** Something happened to a transaction. */
export interface TransactionEvent<Type extends TransactionPayload['type'] = TransactionPayload['type']> {
  readonly shape: 'transaction'
  readonly type: Type
  /** `api_version`, if the payload has it. */
  readonly apiVersion: string | undefined
  /** What `JSON.parse` makes of the body, including fields that its type does not list. */
  readonly payload: TransactionPayload
}

/** Something happened to an intent. */
export interface IntentEvent<Type extends IntentPayload['type'] = IntentPayload['type']> {
  readonly shape: 'intent'
  readonly type: Type
  /** `api_version`, if the payload has it. */
  readonly apiVersion: string | undefined
  /** What `JSON.parse` makes of the body, including fields that its type does not list. */
  readonly payload: IntentPayload
}

/** A payload about which only its signature is known to be valid. */
export interface UnrecognizedEvent {
  readonly shape: 'unrecognized'
  readonly type: 'unrecognized'
  /** The `type` of the payload, if it is a string. */
  readonly receivedType?: string
  /**
   * - `unknown-type`: the type is of no known family
   * - `invalid-payload`: an essential field is missing, or a field is of another kind; see `issues`
   */
  readonly reason: 'unknown-type' | 'invalid-payload'
  /** What `JSON.parse` makes of the body. */
  readonly payload: unknown
  /** The faults of the payload. At most 20. */
  readonly issues: readonly EventIssue[]
}

export type RecognizedEvent = TransactionEvent | IntentEvent

/** The event that a delivery reports. `type` and `shape` distinguish the kinds. */
export type WebhookEvent = RecognizedEvent | UnrecognizedEvent

/** A valid delivery, and its event. */
export interface VerifiedWebhook<Event extends WebhookEvent = WebhookEvent> extends SignatureProof {
  readonly event: Event
}

const MAX_ISSUES = 20

/**
 * The event of a payload that was verified before, such as one from a queue. It verifies no signature.
 *
 * @example
 * const worker = new Worker('payment-events', (job) => dispatcher.dispatch(recognize(job.data)))
 */
export function recognize(payload: unknown): WebhookEvent {
  if (!record.fits(payload)) return unrecognized(payload, 'invalid-payload', record.misfits(payload, ''))
  const { type } = payload
  if (!string.fits(type)) return unrecognized(payload, 'invalid-payload', string.misfits(type, 'type'))
  if (!code.fits(type)) return unrecognized(payload, 'invalid-payload', code.misfits(type, 'type'), type)

  const family = FAMILIES.find(({ prefix }) => type.startsWith(prefix))
  if (family === undefined) {
    return unrecognized(payload, 'unknown-type', [{ path: 'type', reason: 'is of no known family' }], type)
  }
  const { shape, schema } = family
  if (!schema.fits(payload)) {
    return unrecognized(payload, 'invalid-payload', schema.misfits(payload, ''), type)
  }
  // The payload itself and not a copy, so that the handler gets the signed content.
  return { shape, type, apiVersion: payload.api_version ?? undefined, payload } as RecognizedEvent
}

function unrecognized(
  payload: unknown,
  reason: UnrecognizedEvent['reason'],
  misfits: Iterable<EventIssue>,
  receivedType?: string,
): UnrecognizedEvent {
  const issues: EventIssue[] = []
  for (const issue of misfits) if (issues.push(issue) === MAX_ISSUES) break
  const type = 'unrecognized'
  return { shape: type, type, ...(receivedType !== undefined && { receivedType }), reason, payload, issues }
}

// Shape A, as Python prints it, which leaves out a fraction of zero: 2025-03-27 15:41:20.123456+00:00
const SHAPE_A = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,9})?([+-]\d\d:\d\d)$/
// Shape B, ISO 8601 in UTC: 2025-03-27T15:41:20.123456Z
const SHAPE_B = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,9})?(Z)$/

/**
 * The moment that a timestamp of an event names, in either of the two formats of events. A `Date` has milliseconds;
 * finer digits are cut off.
 *
 * @example
 * parseTimestamp('2025-03-27 15:41:20.123456+02:00') // 2025-03-27T13:41:20.123Z
 *
 * @throws {RangeError} on anything else
 */
export function parseTimestamp(timestamp: string): Date {
  const parts = SHAPE_A.exec(timestamp) ?? SHAPE_B.exec(timestamp)
  if (parts === null)
    throw new RangeError('A timestamp is YYYY-MM-DD HH:MM:SS.ffffff+00:00, or ISO 8601 with Z')
  const [, date, time, fraction = '', offset] = parts
  const wall = `${date!}T${time!}`
  const moment = new Date(`${wall}${fraction.slice(0, 4)}${offset!}`)
  // Date itself takes the 30th of February for the 2nd of March.
  if (Number.isNaN(moment.getTime()) || !isOnTheCalendar(wall)) {
    throw new RangeError('The timestamp names a moment that does not exist')
  }
  return moment
}

function isOnTheCalendar(wall: string): boolean {
  return new Date(`${wall}Z`).toISOString().startsWith(wall)
}
