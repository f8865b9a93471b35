import { fromBase64 } from './base64.js'
import { fieldOf, receivedAtIn, signatureIn, type LoadedDelivery } from './loaded-delivery.js'

const FORMAT = 'service-signature-delivery'
const VERSION = 1

export function isSavedDelivery(value: unknown): boolean {
  return fieldOf(value, 'format') === FORMAT
}

/**
 * A delivery as the sandbox saves it.
 *
 * @throws {Error} if the version is unknown, or a field is missing or wrong
 */
export function readSavedDelivery(value: unknown): LoadedDelivery {
  const version = fieldOf(value, 'version')
  if (version !== VERSION)
    throw new Error(`Version ${String(version)} of saved deliveries is unknown; expected ${VERSION}.`)
  const date = fieldOf(value, 'recorded_at')
  return {
    label: [date, fieldOf(value, 'type')].filter((part) => typeof part === 'string').join(' '),
    header: signatureIn(headersOf(value)),
    body: bodyOf(value),
    ...receivedAtIn(date),
    notes: [],
  }
}

function headersOf(value: unknown): readonly (readonly [string, string])[] {
  const headers = fieldOf(value, 'headers')
  const isObject = typeof headers === 'object' && headers !== null && !Array.isArray(headers)
  const entries: readonly [string, unknown][] = isObject ? Object.entries(headers) : []
  if (isObject && entries.every(([, text]) => typeof text === 'string')) {
    return entries as readonly [string, string][]
  }
  throw new Error('"headers" of a saved delivery must be an object whose values are strings.')
}

function bodyOf(value: unknown): Uint8Array {
  const text = fieldOf(value, 'body')
  if (typeof text === 'string') return new TextEncoder().encode(text)
  const base64 = fieldOf(value, 'body_base64')
  if (typeof base64 === 'string') return fromBase64(base64)
  throw new Error('A saved delivery must have a string "body" or "body_base64".')
}
