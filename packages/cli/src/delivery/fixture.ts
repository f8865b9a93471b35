import { UsageError } from '../exit.js'
import { field, fromBase64 } from './har.js'
import type { SavedDelivery } from './saved-delivery.js'

/** Whether the JSON is a delivery that the sandbox recorded. */
export function isFixture(json: unknown): boolean {
  return field(json, 'format') === 'service-signature-delivery'
}

/**
 * Reads a delivery that the sandbox recorded.
 *
 * @throws {UsageError} if it has no headers or no body
 */
export function readFixture(fixture: unknown, place: string): SavedDelivery {
  const headers = Object.entries(field(fixture, 'headers') ?? {})
  const values = headers
    .filter(([name]) => name.toLowerCase() === 'service-signature')
    .map(([, value]) => String(value))
  const header = values.length === 0 ? undefined : values.join(', ')
  const body = field(fixture, 'body')
  if (typeof body === 'string') return { body: Buffer.from(body), header, notes: [] }
  const base64 = field(fixture, 'body_base64')
  if (typeof base64 === 'string') return { body: fromBase64(base64, place), header, notes: [] }
  throw new UsageError(`The delivery in ${place} was recorded without its body.`)
}
