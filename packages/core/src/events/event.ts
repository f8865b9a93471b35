import { getDotPath, safeParse, type BaseIssue, type GenericSchema } from 'valibot'
import { parseJson } from '../json/text.js'
import { fitsOf } from './fits.js'
import { intentPayload, type IntentPayload } from './intent.js'
import { isRecord } from './parts.js'
import { transactionPayload, type TransactionPayload } from './transaction.js'

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

/** What keeps a payload from being of its shape. It repeats no value, so it is fit for a log. */
export interface EventIssue {
  /** Where: `transaction.operations.0.amount.value`. Empty for the payload as a whole. */
  readonly path: string
  /** `is missing`, `must be a string, and is null`. */
  readonly reason: string
}

export type RecognizedEvent = TransactionEvent | IntentEvent

/** What a delivery says. `shape` tells the kinds apart. */
export type WebhookEvent = RecognizedEvent | UnrecognizedEvent

/** The families of events: how their types begin, and what their payload is. A new one is a new row. */
const FAMILIES = [
  {
    shape: 'transaction',
    prefix: 'transaction.',
    schema: transactionPayload,
    fits: fitsOf(transactionPayload),
  },
  { shape: 'intent', prefix: 'intent.', schema: intentPayload, fits: fitsOf(intentPayload) },
] as const

export const FAMILY_NAMES = FAMILIES.map(({ shape }) => shape)

const MAX_ISSUES = 20

/** @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function readEvent(body: Uint8Array): WebhookEvent {
  return recognize(parseJson(body))
}

/** Tells the shape by the content: the type names the family, and the payload must fit it. */
export function recognize(payload: unknown): WebhookEvent {
  if (!isRecord(payload))
    return unrecognized(payload, [issue('', `must be an object, and is ${kindOf(payload)}`)])
  const { type } = payload
  if (typeof type !== 'string') return unrecognized(payload, [issue('type', unfit('must be a string', type))])

  const family = FAMILIES.find(({ prefix }) => type.startsWith(prefix))
  if (family === undefined) return unrecognized(payload, [issue('type', 'is of no known family')], type)
  if (!family.fits(payload)) return unrecognized(payload, misfits(family.schema, payload), type)
  // The payload itself and not a copy that a schema made: what was signed is what is handed on.
  return { shape: family.shape, type, apiVersion: payload['api_version'], payload } as RecognizedEvent
}

function unrecognized(payload: unknown, issues: readonly EventIssue[], type?: string): UnrecognizedEvent {
  return { shape: 'unrecognized', ...(type === undefined ? {} : { type }), payload, issues }
}

function misfits(schema: GenericSchema, payload: unknown): readonly EventIssue[] {
  const { issues = [] } = safeParse(schema, payload)
  return issues.flatMap((found) => flatten(found)).slice(0, MAX_ISSUES)
}

/** Where there is a choice of schemas, the issues are those that name a field inside. */
function flatten(found: BaseIssue<unknown>, parent = ''): EventIssue[] {
  const path = `${parent}${getDotPath(found)!}`
  const inner = found.issues?.filter((sub) => sub.path !== undefined) ?? []
  if (inner.length > 0) return inner.flatMap((sub) => flatten(sub, `${path}.`))
  return [issue(path, unfit(found.message, found.input))]
}

function issue(path: string, reason: string): EventIssue {
  return { path, reason }
}

function unfit(rule: string, value: unknown): string {
  return value === undefined ? 'is missing' : `${rule}, and is ${kindOf(value)}`
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
