import { ownOptions, secondsOption } from '../../options.js'
import { apiKeyHeader } from './api-key.js'
import type { FetchSecretOptions, FetchSettings, SecretCache } from './options.js'

const OPTIONS = [
  'baseUrl',
  'apiKey',
  'maxAgeSeconds',
  'staleSeconds',
  'timeoutSeconds',
  'retries',
  'refreshCooldownSeconds',
  'fetch',
  'cache',
  'now',
] as const satisfies readonly (keyof FetchSecretOptions)[]

// S4.2. The slash at the end belongs to it.
const PATH = '/api/v1/organizations/get-webhook-signature-key/'

/**
 * The options, checked and complete. Later changes to the caller's object change nothing here.
 *
 * @throws {TypeError} on a wrong or missing option
 * @throws {RangeError} on a number out of bounds
 */
export function checkFetchOptions(options: FetchSecretOptions): FetchSettings {
  const own = ownOptions(options, OPTIONS, 'fetchSecret')
  return {
    url: secretAddress(own.baseUrl),
    apiKey: apiKeyHeader(own.apiKey),
    maxAgeSeconds: secondsOption(own.maxAgeSeconds, 'maxAgeSeconds', {
      default: Infinity,
      isAllowed: (value) => value > 0,
      allowed: 'a number of seconds above 0, or Infinity',
    }),
    staleSeconds: secondsOption(own.staleSeconds, 'staleSeconds', {
      default: 86_400,
      isAllowed: (value) => value >= 0,
      allowed: 'a number of seconds, 0 or above, or Infinity',
    }),
    // No sender waits longer, and a timer that is set too far ahead goes off at once.
    timeoutSeconds: secondsOption(own.timeoutSeconds, 'timeoutSeconds', {
      default: 5,
      isAllowed: (value) => value > 0 && value <= 300,
      allowed: 'a number of seconds above 0, at most 300',
    }),
    retries: secondsOption(own.retries, 'retries', {
      default: 2,
      isAllowed: (value) => Number.isInteger(value) && value >= 0 && value <= 10,
      allowed: 'a whole number from 0 to 10',
    }),
    refreshCooldownSeconds: secondsOption(own.refreshCooldownSeconds, 'refreshCooldownSeconds', {
      default: 300,
      isAllowed: (value) => value > 0,
      allowed: 'a number of seconds above 0, or Infinity',
    }),
    // Looked up with each call, so that a fetch which is instrumented later is the one that is used.
    fetch: functionOption(own.fetch, 'fetch') ?? ((url, init) => fetch(url, init)),
    cache: cacheOption(own.cache),
    now: functionOption(own.now, 'now') ?? Date.now,
  }
}

function functionOption<Value>(value: Value | undefined, name: string): Value | undefined {
  if (value !== undefined && typeof value !== 'function') {
    throw new TypeError(`"${name}" must be a function, and is of type ${typeof value}`)
  }
  return value
}

function cacheOption(cache: SecretCache | undefined): SecretCache | undefined {
  if (cache === undefined) return undefined
  const { get, set } = Object(cache) as Partial<SecretCache>
  if (typeof get !== 'function' || typeof set !== 'function') {
    throw new TypeError('"cache" must be an object with the functions "get" and "set"')
  }
  return cache
}

/**
 * The address of the signing secret below `baseUrl`, which may have a path and a slash at its end.
 *
 * @throws {TypeError} on an address that the key must not be sent to; the message does not show it
 */
function secretAddress(baseUrl: unknown): string {
  const url = parse(baseUrl)
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('"baseUrl" must not hold a user name or a password: the key goes into "apiKey"')
  }
  if (url.search !== '') throw new TypeError('"baseUrl" must not have a query')
  if (url.hash !== '') throw new TypeError('"baseUrl" must not have a fragment')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new TypeError(
      '"baseUrl" must start with https:, since a key is sent there (http: only to localhost)',
    )
  }
  return url.origin + url.pathname.replace(/\/+$/, '') + PATH
}

function parse(baseUrl: unknown): URL {
  if (typeof baseUrl !== 'string' && !(baseUrl instanceof URL)) {
    throw new TypeError('"baseUrl" must be the address of the payment service, as a string or a URL')
  }
  try {
    return new URL(baseUrl)
  } catch {
    // The runtime's own error has the text in it.
    throw new TypeError('"baseUrl" must be a whole address, such as https://api.example.com')
  }
}

/** What cannot leave this machine. `URL` has brought every spelling of an IP address to this form. */
function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
