import { fieldOf, fromBase64, receivedAtIn, signatureIn } from './delivery.js'
import type { AttemptReport, Headers, SavedDelivery } from './delivery.js'

const TEXT_NOTE =
  'A HAR holds the body as text: bytes that are not UTF-8, a byte order mark and line breaks may have been lost. ' +
  'If the signature does not match, load the raw request instead.'

export interface HarOptions {
  readonly creator: { readonly name: string; readonly version: string }
  /** `STATUS_CODES` of node:http, which browsers do not have. */
  readonly statusTexts: Readonly<Record<number, string | undefined>>
}

/** The attempts as HAR 1.2, which browsers and proxies read. What the format has no field for starts with "_". */
export function harOf(reports: readonly AttemptReport[], { creator, statusTexts }: HarOptions) {
  const entries = reports.map((report) => {
    const { delivery, type, url, at, headers, body, faults, durationMs } = report
    return {
      startedDateTime: new Date(at).toISOString(),
      time: durationMs,
      request: {
        method: 'POST',
        url,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: listOf(headers),
        queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
        postData: { mimeType: 'application/json', params: [], text: body },
        headersSize: -1,
        bodySize: byteLength(body),
      },
      response: responseOf(report, statusTexts),
      cache: {},
      timings: { send: 0, wait: durationMs, receive: 0 },
      _delivery: delivery,
      _type: type,
      _faults: faults,
    }
  })
  return { log: { version: '1.2', creator, entries } }
}

/** Status 0 is what browsers save for a request that was not answered. */
function responseOf({ answer, error }: AttemptReport, statusTexts: HarOptions['statusTexts']) {
  const { status = 0, headers = {}, body = '' } = answer ?? {}
  return {
    status,
    statusText: statusTexts[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: listOf(headers),
    content: { size: byteLength(body), mimeType: String(headers['content-type'] ?? ''), text: body },
    redirectURL: String(headers['location'] ?? ''),
    headersSize: -1,
    bodySize: -1,
    ...(error !== null && { _error: error }),
  }
}

/** A header that was sent several times has a value for each time. */
function listOf(headers: Readonly<Record<string, string | readonly string[]>>) {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value })),
  )
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

export function isHar(value: unknown): boolean {
  return Array.isArray(fieldOf(fieldOf(value, 'log'), 'entries'))
}

/**
 * The deliveries of a HAR, as browsers, proxies and the sandbox save it: its signed requests, and those that the sandbox sent
 * without a signature on purpose.
 *
 * @throws {Error} if there is no such request, or one without its body
 */
export function readHar(value: unknown): readonly SavedDelivery[] {
  const entries = fieldOf(fieldOf(value, 'log'), 'entries') as readonly unknown[]
  const deliveries = entries.flatMap((entry) => {
    const headers = headersOf(entry)
    const isDelivery = signatureIn(headers) !== null || fieldOf(entry, '_faults') !== undefined
    return isDelivery ? [deliveryOf(entry, headers)] : []
  })
  if (deliveries.length > 0) return deliveries
  throw new Error('The HAR has no request with a Service-Signature header.')
}

function deliveryOf(entry: unknown, headers: Headers): SavedDelivery {
  const request = fieldOf(entry, 'request')
  const date = fieldOf(entry, 'startedDateTime')
  const method = fieldOf(request, 'method')
  const status = fieldOf(fieldOf(entry, 'response'), 'status')
  return {
    label: [date, method, fieldOf(request, 'url')].filter((part) => typeof part === 'string').join(' '),
    header: signatureIn(headers),
    ...bodyOf(fieldOf(request, 'postData')),
    ...receivedAtIn(date),
    exchange: {
      method,
      headers,
      type: fieldOf(entry, '_type'),
      faults: fieldOf(entry, '_faults'),
      status: typeof status === 'number' && status > 0 ? status : null,
    },
  }
}

function headersOf(entry: unknown): Headers {
  const headers = fieldOf(fieldOf(entry, 'request'), 'headers')
  if (!Array.isArray(headers)) return []
  return headers.map((header) => [String(fieldOf(header, 'name')), String(fieldOf(header, 'value'))])
}

function bodyOf(postData: unknown): Pick<SavedDelivery, 'body' | 'notes'> {
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
