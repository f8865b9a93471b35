import type { AttemptReport } from '@service-signature/deliveries'
import type { AttemptRecord, Delivery } from './records.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** How long to wait after an attempt that failed. After the last of them the delivery is dead. */
export const RETRY_DELAYS_MS = [SECOND, 5 * SECOND, 25 * SECOND, 2 * MINUTE, 10 * MINUTE] as const

/** How long an endpoint may take to answer. */
export const TIMEOUT_MS = 10 * SECOND

/** One request, as it was sent, and its outcome. */
export interface Attempt extends AttemptRecord {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A delivery with all requests, as they were sent. */
export interface ReadDelivery extends Delivery {
  readonly attempts: readonly Attempt[]
}

export function readDelivery(delivery: Delivery): ReadDelivery {
  const { body, attempts } = delivery
  return { ...delivery, attempts: attempts.map((attempt) => readAttempt(attempt, body)) }
}

export function readAttempt(made: AttemptRecord, deliveryBody: string): Attempt {
  const body = made.changedBody ?? deliveryBody
  return { ...made, headers: headersOf(body, made.signature), body }
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
