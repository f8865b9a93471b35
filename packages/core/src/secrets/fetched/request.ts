import { checkKey } from '../keys.js'
import { inWords, passing, refused, SecretFetchError, unusable } from './failure.js'
import type { FetchResponse, FetchResponseBody, FetchSettings } from './options.js'

const MAX_KIB = 64

/**
 * Asks the payment service for the signing secret, once (S4.2).
 *
 * @throws {SecretFetchError} on every answer that is not the secret, and on none
 */
export async function requestSecret(
  { url, apiKey, fetch, now }: FetchSettings,
  signal: AbortSignal,
): Promise<string> {
  let answered = false
  try {
    const response = await fetch(url, {
      method: 'GET',
      headers: { 'X-Api-Key': apiKey, Accept: 'application/json' },
      // Whoever is redirected to would be given the key.
      redirect: 'manual',
      signal,
    })
    answered = true
    checkStatus(response, now)
    return secretIn(await readBytes(response.body))
  } catch (error) {
    if (error instanceof SecretFetchError) throw error
    // Of an organization's key (S5.2), what stands before the comma is secret by itself.
    const reason = inWords(error, [apiKey, apiKey.split(',', 1)[0]!])
    throw passing(
      answered
        ? `The answer of the payment service broke off: ${reason}. If this lasts, look for a proxy in between.`
        : `The payment service could not be reached: ${reason}. Check "baseUrl", and that this machine may connect to it.`,
    )
  }
}

function checkStatus({ status, type, headers }: FetchResponse, now: () => number): void {
  // Where runtimes hide a redirect that they do not follow, its status is 0.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw unusable('with a redirect, which is not followed, since the API key would go along')
  }
  if (status !== 200) throw refused(`HTTP ${status}`, status, retryAfter(headers.get('retry-after'), now))
}

/** `Retry-After` in seconds: it is a number of them, or a date. */
function retryAfter(value: string | null, now: () => number): number | undefined {
  if (value === null) return undefined
  const date = value.endsWith(' GMT') ? Date.parse(value) : NaN
  // Stryker disable next-line Regex: Number() gives NaN for a value that only begins with digits.
  const seconds = /^\d+$/.test(value) ? Number(value) : (date - now()) / 1000
  return Number.isNaN(seconds) ? undefined : seconds
}

/**
 * The bytes of an answer. Reading stops where it is longer than any answer of S4.2.
 *
 * @throws {SecretFetchError} on an answer that is too long
 */
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
 * The signing secret in an answer (S4.2).
 *
 * @throws {SecretFetchError} where there is none; the message holds nothing of the answer but its status code
 */
function secretIn(bytes: Uint8Array): string {
  const answer = parse(bytes)
  const code = field(field(answer, 'status'), 'code')
  if (typeof code !== 'number') throw unusable('the answer has another shape: it has no status.code')
  if (code !== 200) throw refused(`status.code ${code} in an HTTP 200`, code)
  try {
    return checkKey(
      field(field(answer, 'data'), 'webhook_signature_secret'),
      // Stryker disable next-line StringLiteral: the message with this name is discarded.
      'secret',
    )
  } catch {
    throw unusable(
      'the answer has another shape: its data.webhook_signature_secret is not there, or can be no key',
    )
  }
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw unusable('the answer is empty')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The error of JSON.parse quotes the text, and the secret may stand there.
    throw unusable(isMarkup(bytes) ? 'the answer is an HTML page' : 'the answer is not JSON')
  }
}

function isMarkup(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes).trimStart().startsWith('<')
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
