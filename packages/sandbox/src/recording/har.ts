import { createRequire } from 'node:module'
import { STATUS_CODES } from 'node:http'
import type { AttemptReport } from './attempt-report.js'
import { fieldOf, readFaults, readTime, type RecordedDelivery } from './recorded-delivery.js'

/** The attempts as HAR 1.2, which browsers and proxies read. What the format has no field for starts with "_". */
export function harOf(reports: readonly AttemptReport[]) {
  // By its own name: the sources and the build lie at different depths.
  const manifest: unknown = createRequire(import.meta.url)('@service-signature/sandbox/package.json')
  const { version } = manifest as { version: string }
  return {
    log: {
      version: '1.2',
      creator: { name: 'service-signature-sandbox', version },
      entries: reports.map(entryOf),
    },
  }
}

function entryOf(report: AttemptReport) {
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
      bodySize: Buffer.byteLength(body),
    },
    response: responseOf(report),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _delivery: delivery,
    _type: type,
    _faults: faults,
  }
}

/** Status 0 is what browsers save for a request that was not answered. */
function responseOf({ answer, error }: AttemptReport) {
  const { status = 0, headers = {}, body = '' } = answer ?? {}
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: listOf(headers),
    content: { size: Buffer.byteLength(body), mimeType: String(headers['content-type'] ?? ''), text: body },
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

export function isHar(value: unknown): boolean {
  return Array.isArray(fieldOf(fieldOf(value, 'log'), 'entries'))
}

/**
 * The deliveries of a HAR, from the sandbox or from another program: its signed requests, and those that were recorded without
 * a signature on purpose.
 *
 * @throws {Error} if the HAR has no such request, or has one without its body
 */
export function readHar(value: unknown, place: string): readonly RecordedDelivery[] {
  const entries = fieldOf(fieldOf(value, 'log'), 'entries') as readonly unknown[]
  const deliveries = entries
    .filter(isDelivery)
    .map((entry, index) => readEntry(entry, `${place}#${index + 1}`))
  if (deliveries.length > 0) return deliveries
  throw new Error(`${place} has no request with a Service-Signature header.`)
}

function isDelivery(entry: unknown): boolean {
  return fieldOf(entry, '_faults') !== undefined || signatureNames(entry).length > 0
}

function signatureNames(entry: unknown): readonly string[] {
  return Object.keys(readHeaders(entry)).filter((name) => name.toLowerCase() === 'service-signature')
}

function readEntry(entry: unknown, place: string): RecordedDelivery {
  const request = fieldOf(entry, 'request')
  const body = readBody(fieldOf(request, 'postData'), place)
  const status = fieldOf(fieldOf(entry, 'response'), 'status')
  return {
    recordedAt: readTime(fieldOf(entry, 'startedDateTime'), 'startedDateTime', place),
    type: readType(entry, body),
    method: String(fieldOf(request, 'method')),
    headers: readHeaders(entry),
    body,
    faults: readFaults(fieldOf(entry, '_faults'), place),
    status: typeof status === 'number' && status > 0 ? status : null,
  }
}

function readHeaders(entry: unknown): Readonly<Record<string, string>> {
  const headers = fieldOf(fieldOf(entry, 'request'), 'headers')
  if (!Array.isArray(headers)) return {}
  return Object.fromEntries(
    headers.map((header) => [String(fieldOf(header, 'name')), String(fieldOf(header, 'value'))]),
  )
}

function readBody(postData: unknown, place: string): Buffer {
  const text = fieldOf(postData, 'text')
  if (typeof text !== 'string') throw new Error(`${place} was saved without its body (postData.text).`)
  return Buffer.from(text, fieldOf(postData, 'encoding') === 'base64' ? 'base64' : 'utf8')
}

/** Other programs do not save the type, but it is in the body. */
function readType(entry: unknown, body: Buffer): string {
  const saved = fieldOf(entry, '_type')
  if (typeof saved === 'string') return saved
  try {
    const type = fieldOf(JSON.parse(body.toString()), 'type')
    if (typeof type === 'string') return type
  } catch {
    // A body that is not JSON has no type.
  }
  return '(no type)'
}
