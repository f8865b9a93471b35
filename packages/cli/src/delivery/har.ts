import { UsageError } from '../exit.js'
import type { SavedDelivery } from './saved-delivery.js'

const TEXT_NOTE =
  'A HAR holds the body as text, not as bytes: what is no UTF-8, a byte order mark and line breaks may have been ' +
  'lost. If the signature does not match, save the raw request instead.'

/**
 * Reads the delivery out of the JSON of a HAR, as browsers and proxies save it: the entry with a Service-Signature header.
 *
 * @throws {UsageError} when there is none, or more than one and `entry` does not say which
 */
export function readHar(har: unknown, place: string, entry: number | undefined): SavedDelivery {
  const signed = requestsIn(har, place).flatMap((request) => {
    const header = signatureOf(request)
    return header === undefined ? [] : [{ request, header }]
  })
  if (signed.length === 0) throw new UsageError(`${place} has no request with a Service-Signature header.`)
  if (entry === undefined && signed.length > 1) {
    throw new UsageError(
      `${place} has ${signed.length} requests with a Service-Signature header: choose one with --entry 1 to ${signed.length}.`,
    )
  }
  const chosen = signed[(entry ?? 1) - 1]
  if (chosen === undefined) {
    throw new UsageError(
      `${place} has ${signed.length} requests with a Service-Signature header: there is no entry ${entry!}.`,
    )
  }
  return { header: chosen.header, ...bodyOf(field(chosen.request, 'postData'), place) }
}

function requestsIn(har: unknown, place: string): readonly unknown[] {
  const entries = field(field(har, 'log'), 'entries')
  if (!Array.isArray(entries)) throw new UsageError(`${place} is JSON, but no HAR: it has no log.entries.`)
  return entries.map((entry) => field(entry, 'request'))
}

function signatureOf(request: unknown): string | undefined {
  const headers = field(request, 'headers')
  if (!Array.isArray(headers)) return undefined
  const values = headers
    .filter((header) => String(field(header, 'name')).toLowerCase() === 'service-signature')
    .map((header) => String(field(header, 'value')))
  return values.length === 0 ? undefined : values.join(', ')
}

function bodyOf(postData: unknown, place: string): Pick<SavedDelivery, 'body' | 'notes'> {
  if (postData === undefined) return { body: Buffer.alloc(0), notes: [] }
  const text = field(postData, 'text')
  const base64 = field(postData, '_base64')
  if (typeof base64 === 'string') return { body: fromBase64(base64, place), notes: [] }
  if (typeof text !== 'string') {
    throw new UsageError(`The request in ${place} was saved without its body (postData.text).`)
  }
  if (base64 === true || field(postData, 'encoding') === 'base64') {
    return { body: fromBase64(text, place), notes: [] }
  }
  return { body: Buffer.from(text), notes: [TEXT_NOTE] }
}

/** @throws {UsageError} on text that is not base64 */
export function fromBase64(text: string, place: string): Buffer {
  // Buffer.from skips other characters, and the body would be another. Without the white space first: a pattern that may
  // split it in two places takes quadratic time.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text.replace(/\s+/g, ''))) {
    throw new UsageError(`The body in ${place} is said to be base64, and is not.`)
  }
  return Buffer.from(text, 'base64')
}

/** A field of a value, if it is an object. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Record<string, unknown>)[name]
}
