import type { FetchResponse, FetchResponseBody, FetchSettings } from './fetch-secret-options.js'
import { isKey } from '../keys.js'

const MAX_KIB = 64
/** How long the service is left alone after it refused the API key or the address. */
const REFUSED_PAUSE_SECONDS = 300
/** How many messages of a chain of causes are repeated. */
const MAX_CAUSES = 4

interface FailureOptions {
  readonly cause?: SecretFetchError
  readonly retryAfterSeconds?: number
  readonly retryable?: boolean
}

/**
 * Why there is no secret, and what to do about it. Errors of `fetch` and of caches are put into words and never kept as
 * `cause`: they may have the request with its key attached, or the answer with the secret (undici's HTTPParserError has
 * it in `data`).
 */
export class SecretFetchError extends Error {
  /** How long no call is made: the value for a `Retry-After`. */
  retryAfterSeconds: number
  /** Whether the same call can succeed later: the service is down, and did not refuse it. */
  readonly retryable: boolean

  constructor(message: string, { cause, retryAfterSeconds = 1, retryable = false }: FailureOptions = {}) {
    super(message, cause && { cause })
    this.retryAfterSeconds = retryAfterSeconds
    this.retryable = retryable
  }
}

Object.defineProperty(SecretFetchError.prototype, 'name', { value: 'SecretFetchError' })

/**
 * Asks the payment service for the signing secret, once.
 *
 * @throws {SecretFetchError} if the service does not answer with the secret; or the reason of `closing`
 */
export async function requestSecret(settings: FetchSettings, closing: AbortSignal): Promise<string> {
  const { timeoutSeconds } = settings
  return abortable(
    timeoutSeconds,
    closing,
    (signal) => callService(settings, signal),
    () =>
      new SecretFetchError(
        `The payment service did not answer within ${timeoutSeconds} s. If this persists, look for a firewall, or raise "timeoutSeconds".`,
        { retryable: true },
      ),
  )
}

/**
 * The result of `work`, unless the time is up or `closing` aborts first. Then `work` is aborted and not waited for: a
 * `fetch` or a cache that ignores its signal delays no delivery. The timer does not keep the process alive.
 *
 * @throws {unknown} the error of `work`, that of `timeUp`, or the reason of `closing`
 */
export async function abortable<Result>(
  seconds: number,
  closing: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  timeUp: () => SecretFetchError,
): Promise<Result> {
  closing.throwIfAborted()
  const late = AbortSignal.timeout(seconds * 1000)
  const over = new AbortController()
  const { signal } = over
  // AbortSignal.any would do this, but the edge runtime of Next.js does not have it.
  const aborted = new Promise<never>((_, reject) => {
    late.addEventListener(
      'abort',
      () => {
        reject(timeUp())
      },
      { signal },
    )
    closing.addEventListener(
      'abort',
      () => {
        reject(closing.reason as SecretFetchError)
      },
      { signal },
    )
  })
  try {
    return await Promise.race([aborted, work(signal)])
  } finally {
    // Also closes the connection of an answer that was not read to its end.
    over.abort()
  }
}

async function callService({ url, apiKey, fetch, now }: FetchSettings, signal: AbortSignal): Promise<string> {
  let isAnswered = false
  try {
    const response = await fetch(url, {
      method: 'GET',
      headers: { 'X-Api-Key': apiKey, Accept: 'application/json' },
      // The target of a redirect would get the key.
      redirect: 'manual',
      signal,
    })
    isAnswered = true
    checkStatus(response, now)
    return secretIn(await readBytes(response.body))
  } catch (error) {
    if (error instanceof SecretFetchError) throw error
    // The part of an organization's key before the comma is secret by itself.
    const reason = inWords(error, [apiKey, apiKey.split(',', 1)[0]!])
    throw new SecretFetchError(
      isAnswered
        ? `The answer of the payment service broke off: ${reason}. If this persists, look for a proxy in between.`
        : `The payment service could not be reached: ${reason}. Check "baseUrl", and that this machine may connect to it.`,
      { retryable: true },
    )
  }
}

function checkStatus({ status, type, headers }: FetchResponse, now: () => number): void {
  // Some runtimes hide a redirect that they do not follow behind the status 0.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw unusable('with a redirect, which is not followed because the API key would go along')
  }
  if (status !== 200) throw refused(`HTTP ${status}`, status, retryAfter(headers.get('retry-after'), now))
}

/** `Retry-After` in seconds: it is a number of them, or a date. */
function retryAfter(value: string | null, now: () => number): number {
  if (value === null) return 0
  const date = value.endsWith(' GMT') ? Date.parse(value) : NaN
  // Stryker disable next-line Regex: Number() gives NaN for a value that only begins with digits.
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((date - now()) / 1000)
  return Number.isNaN(seconds) ? 0 : seconds
}

/** The bytes of an answer. @throws {SecretFetchError} on more than any answer with a secret has */
async function readBytes(body: FetchResponseBody | null): Promise<Uint8Array> {
  const bytes = new Uint8Array(MAX_KIB * 1024)
  let length = 0
  const reader = body?.getReader()
  for (;;) {
    const chunk = (await reader?.read())?.value
    if (chunk === undefined) return bytes.subarray(0, length)
    if (length + chunk.length > bytes.length) throw unusable(`the answer is longer than ${MAX_KIB} KiB`)
    bytes.set(chunk, length)
    length += chunk.length
  }
}

/**
 * The signing secret in an answer.
 *
 * @throws {SecretFetchError} if there is no secret; the message repeats nothing of the answer but its status code
 */
function secretIn(bytes: Uint8Array): string {
  const answer = parse(bytes) as Answer
  const code = answer?.status?.code
  if (typeof code !== 'number') throw unusable('the answer has another shape: there is no status.code')
  if (code !== 200) throw refused(`status.code ${code} in an HTTP 200`, code)
  const secret = answer?.data?.webhook_signature_secret
  if (isKey(secret)) return secret
  throw unusable('the answer has another shape: data.webhook_signature_secret is missing or not a key')
}

/** As far as any JSON can be trusted to be one: of a number or a text, the fields are undefined. */
type Answer = {
  readonly status?: { readonly code?: unknown } | null
  readonly data?: { readonly webhook_signature_secret?: unknown } | null
} | null

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw unusable('the answer is empty')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The error of JSON.parse quotes the text, which may contain the secret.
    const isMarkup = new TextDecoder().decode(bytes).trimStart().startsWith('<')
    throw unusable(isMarkup ? 'the answer is an HTML page' : 'the answer is not JSON')
  }
}

function unusable(what: string): SecretFetchError {
  return new SecretFetchError(
    `The payment service answered, but ${what}. Check that "baseUrl" leads to the service itself, and not to a page or a proxy.`,
  )
}

const ACCOUNT = 'An organization API key needs its account: pass { organizationKey, accountId, live }.'
const FIXES: Readonly<Record<number, string>> = {
  400: 'It did not understand the request: check "baseUrl" and "apiKey".',
  401: `The API key is wrong or revoked, or belongs to the other mode (test or live). ${ACCOUNT}`,
  403: `This API key may not read the secret: use an account API key. ${ACCOUNT}`,
  404: 'There is nothing at this address: "baseUrl" is the part before /api/v1/.',
  408: 'It waited too long for the request: look for a slow network in between.',
  429: 'It is called too often: create one source for all deliveries, not one for each.',
}

/** A status other than 200, of HTTP or in the answer. `retryAfter` is the value of the header, in seconds. */
function refused(answer: string, status: number, retryAfter = 0): SecretFetchError {
  const isDown = status >= 500
  const fix =
    FIXES[status] ??
    (isDown ? 'The fault is on its side.' : 'Check that "baseUrl" leads to the service itself.')
  return new SecretFetchError(`The payment service answered ${answer}. ${fix}`, {
    retryAfterSeconds: [401, 403, 404].includes(status) ? REFUSED_PAUSE_SECONDS : retryAfter,
    retryable: isDown || status === 408 || status === 429,
  })
}

/** The messages of an error and its causes, with the keys taken out. */
function inWords(error: unknown, keys: readonly string[]): string {
  const messages: string[] = []
  let link = error
  while (typeof link === 'object' && link !== null && messages.length < MAX_CAUSES) {
    const { message, code, cause } = link as Readonly<Record<string, unknown>>
    // If Node has tried several addresses, its error has a code and an empty message.
    messages.push([message, code].find(isText) ?? 'no reason given')
    link = cause
  }
  return keys.reduce((text, key) => text.replaceAll(key, '[key]'), messages.join(': '))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
