import type { AttemptReport } from '@service-signature/deliveries'
import type { AttemptRecord, Delivery, TextRef } from '../store/records.js'
import type { Store } from '../store/store.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** How long to wait after an attempt that failed. After the last of them the delivery is dead. */
export const RETRY_DELAYS_MS = [SECOND, 5 * SECOND, 25 * SECOND, 2 * MINUTE, 10 * MINUTE] as const

/** How long an endpoint may take to answer. */
export const TIMEOUT_MS = 10 * SECOND

/** What an endpoint answered. Its body is the beginning. */
export type Answer = NonNullable<AttemptReport['answer']>

/** One request, as it was sent, and its outcome. */
export interface Attempt extends Omit<AttemptRecord, 'details'> {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly answer?: Answer
}

/** A delivery with its texts. */
export interface ReadDelivery extends Omit<Delivery, 'body' | 'attempts'> {
  readonly body: string
  readonly attempts: readonly Attempt[]
}

/** The part of an attempt that lies in the journal. */
export interface AttemptDetails {
  /** The value of `Service-Signature`, if it was sent. */
  readonly signature?: string | undefined
  /** What was sent in place of the body of the delivery. */
  readonly changedBody?: string | undefined
  readonly answer?: Pick<Answer, 'headers' | 'body'>
}

/**
 * Writes a body, and before it the other texts that a search looks in: to read one text takes a fraction of the time of a look
 * at each field of 50,000 records.
 */
export function writeBody(
  store: Store,
  { id, type, intentId = '', url }: Pick<Delivery, 'id' | 'type' | 'intentId' | 'url'>,
  body: string,
): TextRef {
  const others = [id, type, intentId, url].join(' ').replaceAll('\n', ' ')
  return store.writeText(`${others}\n${body}`)
}

export function bodyOf(store: Store, delivery: Delivery): string {
  const text = store.readText(delivery.body)
  return text.slice(text.indexOf('\n') + 1)
}

export function readDelivery(store: Store, delivery: Delivery): ReadDelivery {
  const body = bodyOf(store, delivery)
  return {
    ...delivery,
    body,
    attempts: delivery.attempts.map((attempt) => readAttempt(store, attempt, body)),
  }
}

/** One attempt of a delivery, with its texts. */
export function readAttempt(
  store: Store,
  { details, ...made }: AttemptRecord,
  deliveryBody: string,
): Attempt {
  return withDetails(made, deliveryBody, JSON.parse(store.readText(details)) as AttemptDetails)
}

export function withDetails(
  made: Omit<AttemptRecord, 'details'>,
  deliveryBody: string,
  { signature, changedBody, answer }: AttemptDetails,
): Attempt {
  const body = changedBody ?? deliveryBody
  const { status } = made
  return {
    ...made,
    headers: headersOf(body, signature),
    body,
    ...(answer !== undefined && status !== undefined && { answer: { status, ...answer } }),
  }
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

/** What is printed, recorded and exported of an attempt. `attempt`: counted from 1. */
export function reportAttempt(
  { id, type, url, created }: Pick<Delivery, 'id' | 'type' | 'url' | 'created'>,
  attempt: number,
  made: Attempt,
): AttemptReport {
  const { at, headers, body, faults, answer = null, error = null, durationMs } = made
  return { delivery: id, attempt, type, url, created, at, headers, body, faults, answer, error, durationMs }
}

/** Where two texts differ, as the shortest piece that was replaced. */
export interface Change {
  /** How many characters are the same before it. */
  readonly at: number
  readonly signed: string
  readonly sent: string
}

/** What was changed between signing and sending, if anything was. */
export function changeBetween(signed: string, sent: string): Change | undefined {
  if (signed === sent) return undefined
  const shorter = Math.min(signed.length, sent.length)
  let at = 0
  while (at < shorter && signed[at] === sent[at]) at++
  let after = 0
  while (after < shorter - at && signed.at(-1 - after) === sent.at(-1 - after)) after++
  return {
    at,
    signed: signed.slice(at, signed.length - after),
    sent: sent.slice(at, sent.length - after),
  }
}
