import { fromBase64 } from './base64.js'
import { fieldOf, receivedAtIn, signatureIn, type LoadedDelivery } from './loaded-delivery.js'

const TEXT_NOTE =
  'A HAR holds the body as text: bytes that are not UTF-8, a byte order mark and line breaks may have been lost. ' +
  'If the signature does not match, load the raw request instead.'

export function isHar(value: unknown): boolean {
  return Array.isArray(fieldOf(fieldOf(value, 'log'), 'entries'))
}

/**
 * The signed requests of a HAR, as browsers and proxies save it.
 *
 * @throws {Error} if there is no such request, or one without its body
 */
export function readHar(value: unknown): readonly LoadedDelivery[] {
  const entries = fieldOf(fieldOf(value, 'log'), 'entries') as readonly unknown[]
  const deliveries = entries.flatMap((entry) => {
    const request = fieldOf(entry, 'request')
    const header = signatureIn(headersOf(request))
    return header === null ? [] : [deliveryOf(entry, request, header)]
  })
  if (deliveries.length > 0) return deliveries
  throw new Error('The HAR has no request with a Service-Signature header.')
}

function deliveryOf(entry: unknown, request: unknown, header: string): LoadedDelivery {
  const date = fieldOf(entry, 'startedDateTime')
  const parts = [date, fieldOf(request, 'method'), fieldOf(request, 'url')]
  return {
    label: parts.filter((part) => typeof part === 'string').join(' '),
    header,
    ...bodyOf(fieldOf(request, 'postData')),
    ...receivedAtIn(date),
  }
}

function headersOf(request: unknown): readonly (readonly [string, string])[] {
  const headers = fieldOf(request, 'headers')
  if (!Array.isArray(headers)) return []
  return headers.map((header) => [String(fieldOf(header, 'name')), String(fieldOf(header, 'value'))])
}

function bodyOf(postData: unknown): Pick<LoadedDelivery, 'body' | 'notes'> {
  if (postData === undefined || postData === null) return { body: new Uint8Array(), notes: [] }
  const text = fieldOf(postData, 'text')
  const base64 = fieldOf(postData, '_base64')
  if (typeof base64 === 'string') return { body: fromBase64(base64), notes: [] }
  if (typeof text !== 'string')
    throw new Error('A request in the HAR was saved without its body (postData.text).')
  if (base64 === true || fieldOf(postData, 'encoding') === 'base64')
    return { body: fromBase64(text), notes: [] }
  return { body: new TextEncoder().encode(text), notes: [TEXT_NOTE] }
}
