import { fieldOf, fromBase64, receivedAtIn, signatureIn } from './delivery.js'
import type { AttemptReport, Headers, SavedDelivery } from './delivery.js'

const FORMAT = 'service-signature-delivery'
const VERSION = 1

/** A delivery as a JSON file: everything that was sent, the status of the answer, and no key. */
export function fixtureOf({ at, type, url, headers, body, faults, answer }: AttemptReport) {
  return {
    format: FORMAT,
    version: VERSION,
    recorded_at: isoTimestamp(at),
    type,
    url,
    method: 'POST',
    headers,
    body,
    ...(faults.length > 0 && { faults }),
    answer: answer && { status: answer.status },
  }
}

/** The name of its file. Files of one folder are in the order of their deliveries; a retry replaces the attempt before. */
export function fixtureName({ created, type, delivery, faults }: AttemptReport): string {
  const time = isoTimestamp(created).slice(0, 23).replace(/[:.]/g, '-')
  const suffix = faults.map((fault) => `.${fault}`).join('')
  return `${time}_${type.replace(/[^\w.-]/g, '-').slice(0, 80)}_${delivery}${suffix}.json`
}

/** With microseconds, as the payment service writes times. */
function isoTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z')
}

export function isFixture(value: unknown): boolean {
  return fieldOf(value, 'format') === FORMAT
}

/**
 * A delivery as the sandbox, or a line of a log, has it.
 *
 * @throws {Error} if the version is unknown, or a field is missing or wrong
 */
export function readFixture(value: unknown): SavedDelivery {
  const version = fieldOf(value, 'version')
  if (version !== VERSION)
    throw new Error(`Version ${String(version)} of saved deliveries is unknown; expected ${VERSION}.`)
  const date = fieldOf(value, 'recorded_at')
  const type = fieldOf(value, 'type')
  const headers = headersOf(value)
  const answer = fieldOf(value, 'answer')
  return {
    label: [date, type].filter((part) => typeof part === 'string').join(' '),
    header: signatureIn(headers),
    body: bodyOf(value),
    ...receivedAtIn(date),
    notes: [],
    exchange: {
      method: fieldOf(value, 'method'),
      headers,
      type,
      faults: fieldOf(value, 'faults'),
      status: answer === null ? null : fieldOf(answer, 'status'),
    },
  }
}

function headersOf(value: unknown): Headers {
  const headers = fieldOf(value, 'headers')
  const isObject = typeof headers === 'object' && headers !== null && !Array.isArray(headers)
  const entries: readonly [string, unknown][] = isObject ? Object.entries(headers) : []
  if (isObject && entries.every(([, text]) => typeof text === 'string')) return entries as Headers
  throw new Error('"headers" of a saved delivery must be an object whose values are strings.')
}

function bodyOf(value: unknown): Uint8Array {
  const text = fieldOf(value, 'body')
  if (typeof text === 'string') return new TextEncoder().encode(text)
  const base64 = fieldOf(value, 'body_base64')
  if (typeof base64 === 'string') return fromBase64(base64)
  throw new Error('A saved delivery must have a string "body" or "body_base64".')
}
