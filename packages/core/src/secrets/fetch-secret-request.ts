import { GrowingBytes } from '../shared/growing-bytes.js'
import { parseJson } from '../signature/canonical-json/parse-json.js'
import { isKey } from '../signature/keys.js'
import type { FetchResponse, FetchResponseBody, FetchSettings } from './fetch-secret-options.js'

const MAX_KIB = 64
/** The longest time that the service is left alone: after it refused the API key or the address. */
const LONGEST_PAUSE_SECONDS = 300
const CHECK_ADDRESS = 'Check that "baseUrl" leads to the service itself, and not to a page or a proxy.'
const ACCOUNT = 'An organization API key needs its account: pass { organizationKey, accountId, live }.'
// A function: a bundler keeps a constant that is put together of others, although nothing uses it.
const fixes = (): Readonly<Record<number, string>> => ({
  400: 'It did not understand the request: check "baseUrl" and "apiKey".',
  401: `The API key is wrong or revoked. ${ACCOUNT}`,
  403: `This API key may not read the secret: use an account API key. ${ACCOUNT}`,
  404: 'There is nothing at this address: "baseUrl" is the part before /api/v1/.',
  408: 'It waited too long for the request: look for a slow network in between.',
  429: 'It is called too often: create one source for all deliveries, not one for each.',
})

/**
 * Why there is no secret, and what to do about it. Errors of `fetch` and of caches are never kept as `cause`:
 * they may hold the request with its key, or the answer (HTTPParserError of undici has it in `data`).
 */
export class SecretFetchError extends Error {
  /** How long no call is made: the value for a `Retry-After`. */
  retryAfterSeconds = 1
  /** Whether the same call can succeed later: the service is down, and did not refuse it. */
  retryable = false

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    Object.defineProperty(this, 'name', { value: 'SecretFetchError' })
  }
}

/** The result of `work`, unless the time is up or `closing` aborts: it is not waited for, as it may ignore its signal. */
export async function withinTime<Result>(
  late: string,
  seconds: number,
  closing: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  closing.throwIfAborted()
  const timeUp = AbortSignal.timeout(seconds * 1000)
  const over = new AbortController()
  // AbortSignal.any would do this, but the edge runtime of Next.js does not have it.
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(closing.aborted ? (closing.reason as Error) : temporary(late))
    for (const signal of [timeUp, closing]) signal.addEventListener('abort', stop, { signal: over.signal })
  })
  try {
    return await Promise.race([aborted, work(over.signal)])
  } finally {
    // Also closes the connection of an answer that was not read to its end.
    over.abort()
  }
}

/** @throws {SecretFetchError} if the secret is not in the answer */
export async function requestSecret(settings: FetchSettings, signal: AbortSignal): Promise<string> {
  const { url, apiKey, fetch, now } = settings
  const headers = { 'X-Api-Key': apiKey, Accept: 'application/json' }
  let isAnswered = false
  try {
    // The target of a redirect would get the key.
    const response = await fetch(url, { method: 'GET', headers, redirect: 'manual', signal })
    isAnswered = true
    checkStatus(response, now)
    return secretIn(await readBytes(response.body))
  } catch (error) {
    if (error instanceof SecretFetchError) throw error
    // The part of an organization's key before the comma is secret by itself.
    const keys = [apiKey, apiKey.split(',', 1)[0]!]
    const reason = keys.reduce((text, key) => text.replaceAll(key, '[key]'), messagesOf(error).join(': '))
    if (isAnswered) {
      throw temporary(`The answer of the payment service broke off: ${reason}. Look for a proxy in between.`)
    }
    const fix = 'Check "baseUrl", and that this machine may connect to it.'
    throw temporary(`The payment service could not be reached: ${reason}. ${fix}`)
  }
}

function checkStatus({ status, type, headers }: FetchResponse, now: () => number): void {
  // Some runtimes hide a redirect that they do not follow behind the status 0.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw unusable('with a redirect, which is not followed because the API key would go along')
  }
  if (status === 200) return
  const pause = headers.get('retry-after')
  const seconds = pause?.endsWith(' GMT') ? (Date.parse(pause) - now()) / 1000 : Number(pause)
  throw refused(`HTTP ${status}`, status, Math.ceil(seconds) || 0)
}

async function readBytes(body: FetchResponseBody | null): Promise<Uint8Array> {
  const bytes = new GrowingBytes()
  const reader = body?.getReader()
  for (;;) {
    const chunk = (await reader?.read())?.value
    if (chunk === undefined) return bytes.all()
    bytes.append(chunk)
    if (bytes.length > MAX_KIB * 1024) throw unusable(`the answer is longer than ${MAX_KIB} KiB`)
  }
}

/** The errors repeat nothing of the answer but its status code. */
function secretIn(bytes: Uint8Array): string {
  type Answer = Readonly<Record<'status' | 'data', Readonly<Record<string, unknown>> | null | undefined>>
  let answer: Answer
  try {
    answer = Object(parseJson(bytes)) as Answer
  } catch {
    const start = new TextDecoder().decode(bytes).trimStart().charAt(0)
    if (start === '<') throw unusable('the answer is an HTML page')
    throw unusable(start === '' ? 'the answer is empty' : 'the answer is not JSON')
  }
  const code = answer.status?.['code']
  if (typeof code !== 'number') throw unusable('the answer has another shape: there is no status.code')
  if (code !== 200) throw refused(`status.code ${code} in an HTTP 200`, code, 0)
  const secret = answer.data?.['webhook_signature_secret']
  if (isKey(secret)) return secret
  throw unusable('the answer has another shape: data.webhook_signature_secret is missing or not a key')
}

/** A status other than 200, of HTTP or in the answer. */
function refused(answer: string, status: number, retryAfterSeconds: number): SecretFetchError {
  const isDown = status >= 500
  const fix = fixes()[status] ?? (isDown ? 'The fault is on its side.' : CHECK_ADDRESS)
  const pause = [401, 403, 404].includes(status) ? LONGEST_PAUSE_SECONDS : retryAfterSeconds
  const error = new SecretFetchError(`The payment service answered ${answer}. ${fix}`)
  error.retryAfterSeconds = Math.min(pause, LONGEST_PAUSE_SECONDS)
  error.retryable = isDown || status === 408 || status === 429
  return error
}

function unusable(what: string): SecretFetchError {
  return new SecretFetchError(`The payment service answered, but ${what}. ${CHECK_ADDRESS}`)
}

function temporary(message: string): SecretFetchError {
  return Object.assign(new SecretFetchError(message), { retryable: true })
}

/** The messages of an error and its causes, up to `limit` of them. */
function messagesOf(error: unknown, limit = 4): string[] {
  if (typeof error !== 'object' || error === null || limit === 0) return []
  const { message, code, cause } = error as Readonly<Record<string, unknown>>
  // If Node has tried several addresses, its error has a code and an empty message.
  const text = [message, code].find((value): value is string => typeof value === 'string' && value !== '')
  return [text ?? 'no reason given', ...messagesOf(cause, limit - 1)]
}
