import { readBytes, secretIn } from './answer.js'
import { passing, refused, SecretFetchError, unusable } from './failure.js'
import { inWords } from './foreign-error.js'
import type { FetchResponse, FetchSettings } from './options.js'

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
  const seconds = /^\d+$/.test(value) ? Number(value) : (date - now()) / 1000
  return Number.isNaN(seconds) ? undefined : seconds
}
