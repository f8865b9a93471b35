import type { Version } from '@service-signature/core'
import { ownOptions } from '@service-signature/core/shared/check-options'
import { sign } from '@service-signature/core/testing'
import { fileURLToPath } from 'node:url'
import { reprint, STALE_SECONDS } from './forgery.js'
import { readRecordings, type RecordedDelivery } from './recordings.js'
import { send } from './send.js'

/** How long an endpoint may take to answer. */
const TIMEOUT_MS = 10_000

/** How much of an answer is returned. */
const ANSWER_BYTES = 4096

export interface ReplayRecordedOptions {
  /** The endpoint that gets the deliveries, wherever they were sent when they were recorded. */
  readonly url: string | URL
  /** The signing secret of the endpoint, for v2 and v3. */
  readonly secret?: string
  /** Its account API key, for v1. */
  readonly apiKey?: string
  /** Default: every version whose key is given. */
  readonly versions?: readonly Version[]
  /** `signed` (the default) signs each delivery again; `recorded` sends the recorded signature, which is no longer fresh. */
  readonly as?: 'signed' | 'recorded'
  /** The clock for the new timestamps, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number
}

/** A delivery that was sent again, and its answer. */
export interface ReplayedDelivery {
  /** The name of its file; with a number where it holds several: `payments.har#2`. */
  readonly file: string
  readonly type: string
  readonly status: number
  /** The status when it was recorded; null if there was no answer. */
  readonly recordedStatus: number | null
  /** The first 4,096 bytes of the answer. */
  readonly body: string
  readonly durationMs: number
}

const OPTIONS = ['url', 'secret', 'apiKey', 'versions', 'as', 'now'] as const

/**
 * Sends recorded deliveries to an endpoint, one after the other in the order of their recording: fixtures and HAR files, as the
 * sandbox exports them. What was broken on purpose is broken again.
 *
 * @example
 * const results = await replayRecorded('recordings', { url: 'http://127.0.0.1:3000/webhooks', secret })
 * for (const { file, status, recordedStatus } of results) assert.equal(status, recordedStatus, file)
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {Error} if there is no recording, a file is not a recording, or the endpoint does not answer
 */
export async function replayRecorded(
  path: string | URL,
  options: ReplayRecordedOptions,
): Promise<readonly ReplayedDelivery[]> {
  const own = ownOptions(options, OPTIONS, 'replayRecorded')
  const url = checkUrl(own.url)
  const isSigned = checkAs(own.as) === 'signed'
  const recordings = await readRecordings(path instanceof URL ? fileURLToPath(path) : path)

  const replayed: ReplayedDelivery[] = []
  for (const delivery of recordings) {
    const { file, type, status: recordedStatus } = delivery
    const headers = isSigned ? signedHeaders(delivery, own) : sentHeaders(delivery)
    const start = performance.now()
    const { status, body } = await answerOf(url, delivery, headers)
    const durationMs = Math.round(performance.now() - start)
    replayed.push({ file, type, status, recordedStatus, body, durationMs })
  }
  return replayed
}

function checkUrl(url: unknown): string {
  const text = String(url)
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new TypeError('"url" must be the address of an endpoint, such as http://127.0.0.1:3000/webhooks')
}

function checkAs(as: unknown = 'signed'): 'signed' | 'recorded' {
  if (as === 'signed' || as === 'recorded') return as
  throw new TypeError('"as" must be "signed" or "recorded"')
}

type Keys = Partial<ReplayRecordedOptions>

type Headers = RecordedDelivery['headers']

/** The recorded headers, without those that belong to the connection or are counted again. */
function sentHeaders({ headers }: RecordedDelivery): Headers {
  const isSent = (name: string) =>
    // The names that start with a colon are those of HTTP/2.
    !/^(?::.*|host|connection|keep-alive|transfer-encoding|content-length|expect)$/i.test(name)
  return headers.filter(([name]) => isSent(name))
}

/** The same headers with a new signature, unless it was left out on purpose. */
function signedHeaders(delivery: RecordedDelivery, options: Keys): Headers {
  const others = sentHeaders(delivery).filter(([name]) => name.toLowerCase() !== 'service-signature')
  if (delivery.faults.includes('no-signature')) return others
  return [...others, ['Service-Signature', newSignature(delivery, options)]]
}

/** @throws {TypeError} if there is no key */
function newSignature({ body, faults }: RecordedDelivery, options: Keys): string {
  const { secret, apiKey, versions, now = Date.now } = options
  const seconds = Math.floor(now() / 1000)
  const prefix = faults.includes('wrong-secret') ? 'not ' : ''
  // The recorded body is the changed one, so the signature must be that of another body.
  const signed = faults.includes('reprinted') ? (reprint(Buffer.from(body).toString()) ?? body) : body
  return sign(faults.includes('tamper') ? '{"type":"changed after signing"}' : signed, {
    ...(secret !== undefined && { secret: prefix + secret }),
    ...(apiKey !== undefined && { apiKey: prefix + apiKey }),
    ...(versions !== undefined && { versions }),
    timestamp: faults.includes('stale') ? seconds - STALE_SECONDS : seconds,
  })
}

async function answerOf(
  url: string,
  { file, method, body }: RecordedDelivery,
  headers: Headers,
): Promise<Pick<ReplayedDelivery, 'status' | 'body'>> {
  try {
    const lines = [['Host', new URL(url).host], ...headers, ['Content-Length', String(body.length)]]
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await send(url, { method, headers: lines.flat(), body, signal })
    if (answer.failure !== undefined) throw answer.failure
    return { status: answer.status, body: answer.body.toString('utf8', 0, ANSWER_BYTES) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`${file}: no answer from ${url}: ${code!}`, { cause: error })
  }
}
