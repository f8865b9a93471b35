import { parseJson } from '../json.js'
import { intentPayload, transactionPayload, type IntentPayload, type TransactionPayload } from './payloads.js'
import { record, string, type EventIssue } from './schema.js'

/** Shape A of S6.6: something happened to a transaction. */
export interface TransactionEvent {
  readonly shape: 'transaction'
  readonly type: TransactionPayload['type']
  readonly apiVersion: string
  /** What `JSON.parse` makes of the body, fields that S6.6 does not list included. */
  readonly payload: TransactionPayload
}

/** Shape B of S6.6: something happened to an intent. */
export interface IntentEvent {
  readonly shape: 'intent'
  readonly type: IntentPayload['type']
  readonly apiVersion: string
  /** What `JSON.parse` makes of the body, fields that S6.6 does not list included. */
  readonly payload: IntentPayload
}

/** An event of a new type, or one whose payload is not as S6.6 has it. It is genuine nonetheless. */
export interface UnrecognizedEvent {
  readonly shape: 'unrecognized'
  readonly type?: string
  /** What `JSON.parse` makes of the body. */
  readonly payload: unknown
  /** Why it is none of the known shapes. At most 20. */
  readonly issues: readonly EventIssue[]
}

export type RecognizedEvent = TransactionEvent | IntentEvent

/** What a delivery says. `shape` tells the kinds apart. */
export type WebhookEvent = RecognizedEvent | UnrecognizedEvent

/** The families of events: how their types begin, and what their payload is. A new one is a new row. */
const FAMILIES = [
  { shape: 'transaction', prefix: 'transaction.', schema: transactionPayload },
  { shape: 'intent', prefix: 'intent.', schema: intentPayload },
] as const

export const FAMILY_NAMES = FAMILIES.map(({ shape }) => shape)

const MAX_ISSUES = 20

/** @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function readEvent(body: Uint8Array): WebhookEvent {
  return recognize(parseJson(body))
}

/** Tells the shape by the content: the type names the family, and the payload must fit it. */
export function recognize(payload: unknown): WebhookEvent {
  if (!record.fits(payload)) return unrecognized(payload, record.misfits(payload, ''))
  const { type } = payload
  if (!string.fits(type)) return unrecognized(payload, string.misfits(type, 'type'))

  const family = FAMILIES.find(({ prefix }) => type.startsWith(prefix))
  if (family === undefined) {
    return unrecognized(payload, [{ path: 'type', reason: 'is of no known family' }], type)
  }
  const { shape, schema } = family
  if (!schema.fits(payload)) return unrecognized(payload, schema.misfits(payload, ''), type)
  // The payload itself and not a copy that a schema made: what was signed is what is handed on.
  return { shape, type, apiVersion: payload.api_version, payload } as RecognizedEvent
}

function unrecognized(payload: unknown, misfits: Iterable<EventIssue>, type?: string): UnrecognizedEvent {
  const issues: EventIssue[] = []
  for (const issue of misfits) if (issues.push(issue) === MAX_ISSUES) break
  return { shape: 'unrecognized', ...(type === undefined ? {} : { type }), payload, issues }
}

// Shape A, as Python prints it, which leaves out a fraction of zero: 2025-03-27 15:41:20.123456+00:00
const SHAPE_A = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,9})?([+-]\d\d:\d\d)$/
// Shape B, ISO 8601 in UTC: 2025-03-27T15:41:20.123456Z
const SHAPE_B = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,9})?(Z)$/

/**
 * The moment that a timestamp of an event names, in either of the two formats of events. A `Date` has milliseconds;
 * what is finer is cut off.
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
