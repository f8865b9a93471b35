import { clockOption, functionOption, numberOption, ownOptions } from '../shared/check-options.js'
import { checkKey, IS_SET } from '../signature/keys.js'

export interface FetchSecretOptions {
  /**
   * The address of the payment service, without `/api/...`. `https:`, or `http:` to this machine. In the type, `undefined`
   * stands for an environment variable: it throws if that is not set.
   */
  readonly baseUrl: string | URL | undefined
  /** An account API key, or an organization API key and the account to act on. `undefined` throws. */
  readonly apiKey: string | OrganizationApiKey | undefined
  /** Accepts `http:` to any host: others on the way can read the keys and sign deliveries. Default: false. */
  readonly allowInsecureHttp?: boolean
  /** How long a secret is used before it is fetched again. Default: `Infinity`. */
  readonly maxAgeSeconds?: number
  /** How long an expired secret stays in use if there is no new one. Default: 86400, a day. */
  readonly staleSeconds?: number
  /** How long a call may take, the body of the answer included. Default: 5. */
  readonly timeoutSeconds?: number
  /**
   * The longest wait between two refreshes, which bounds the calls that forged deliveries can cause. A secret is fetched
   * again when a signature does not match. The wait after that is 15 s (or this option, if it is less), and each refresh that
   * changes nothing doubles it, up to this option. It is 15 s again after a refresh that changed the secret, and after a
   * wait that was followed by this many seconds without a mismatch. Default: 60.
   */
  readonly refreshCooldownSeconds?: number
  /** Replaces the global `fetch`: for a proxy, a client certificate, a framework that caches answers. */
  readonly fetch?: FetchFunction
  /** A cache that several instances share. */
  readonly cache?: SecretCache
  /** The clock, in milliseconds. For tests. Default: `Date.now`. */
  readonly now?: () => number
}

/** Instead of an account API key. */
export interface OrganizationApiKey {
  readonly organizationKey: string
  /** The account to act on. */
  readonly accountId: string
  /** `true` for live mode, `false` for test mode. */
  readonly live: boolean
}

/**
 * A cache that several instances share. It is asked before the service while there is no secret that may be used, for a second
 * at most. Nothing waits for `set`. It holds the signing secret unencrypted, and anything that can write to it can sign deliveries.
 */
export interface SecretCache {
  get(key: string): Promise<CachedSecret | null | undefined>
  set(key: string, value: CachedSecret): Promise<unknown>
}

/** A secret, and when the service gave it, in milliseconds. */
export interface CachedSecret {
  readonly secret: string
  readonly fetchedAt: number
}

/** The part of the global `fetch` that is used. */
export type FetchFunction = (
  url: string,
  init: { method: 'GET'; headers: Record<string, string>; redirect: 'manual'; signal: AbortSignal },
) => Promise<FetchResponse>

/** The part of a `Response` that is used. */
export interface FetchResponse {
  readonly status: number
  readonly type: string
  readonly headers: { get(name: string): string | null }
  readonly body: FetchResponseBody | null
}

/** The part of a `ReadableStream` that is used. */
export interface FetchResponseBody {
  getReader(): { read(): Promise<{ readonly value?: Uint8Array | undefined }> }
}

const TIMES = ['maxAgeSeconds', 'staleSeconds', 'timeoutSeconds', 'refreshCooldownSeconds']
const OTHERS = ['baseUrl', 'apiKey', 'allowInsecureHttp', 'fetch', 'cache', 'now']

/** The options, checked and complete: `url` is the whole address, `apiKey` the value of `X-Api-Key`. */
export type FetchSettings = ReturnType<typeof checkFetchOptions>

/** @throws {TypeError | RangeError} on an option that is wrong or missing; the message does not show a key */
export function checkFetchOptions(options: FetchSecretOptions) {
  const own = ownOptions(options, [...OTHERS, ...TIMES], 'fetchSecret')
  return {
    url: secretAddress(own.baseUrl, own.allowInsecureHttp),
    apiKey: apiKeyHeader(own.apiKey),
    maxAgeSeconds: numberOption(own, 'maxAgeSeconds', Infinity, { above: 0 }),
    staleSeconds: numberOption(own, 'staleSeconds', 86_400, {}),
    // No sender waits longer, and a timer over 24 days fires at once.
    timeoutSeconds: numberOption(own, 'timeoutSeconds', 5, { above: 0, max: 300 }),
    refreshCooldownSeconds: numberOption(own, 'refreshCooldownSeconds', 60, { above: 0 }),
    // Looked up at each call, so that instrumentation which replaces the global fetch later is used.
    fetch: functionOption(own.fetch, 'fetch') ?? ((url, init) => fetch(url, init)),
    cache: cacheOption(own.cache),
    now: clockOption(own.now),
  }
}

function cacheOption(cache: SecretCache | undefined): SecretCache | undefined {
  if (cache === undefined) return undefined
  check(!(cache instanceof Map), '"cache" must be shared between instances, and a Map is not. Leave it out.')
  const { get, set } = Object(cache) as Partial<SecretCache>
  const isCache = typeof get === 'function' && typeof set === 'function'
  check(isCache, '"cache" must be an object with the functions "get" and "set"')
  return cache
}

/** `baseUrl` may have a path and a slash at its end. */
function secretAddress(baseUrl: string | URL | undefined, allowInsecureHttp: unknown = false): string {
  check(baseUrl !== undefined, `"baseUrl" is undefined. ${IS_SET}`)
  check(baseUrl !== '', `"baseUrl" is empty. ${IS_SET}`)
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    // The error of the runtime would quote the text.
    throw new TypeError('"baseUrl" must be a whole address, such as https://api.example.com')
  }
  const isPlain = url.username + url.password + url.search + url.hash === ''
  check(isPlain, '"baseUrl" must not have a user name, a password, a query or a fragment')
  const given = typeof allowInsecureHttp
  check(given === 'boolean', `"allowInsecureHttp" must be true or false, got ${given}`)
  // Names below localhost are not included, because resolvers may ask the DNS server of the network for them.
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  check(
    url.protocol === 'https:' || (url.protocol === 'http:' && (allowInsecureHttp === true || isLoopback)),
    '"baseUrl" must start with https:, because the API key is sent there. http: is accepted for localhost, ' +
      '127.0.0.0/8 and [::1], and on a private network with allowInsecureHttp: true.',
  )
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/api/v1/organizations/get-webhook-signature-key/`
}

/** The account API key, or the three items of an organization API key, joined by commas. */
function apiKeyHeader(apiKey: string | OrganizationApiKey | undefined): string {
  if (typeof apiKey !== 'object' || (apiKey as unknown) === null) {
    return headerItem(checkKey(apiKey, 'apiKey'), 'apiKey')
  }
  const key = ownOptions(apiKey, ['organizationKey', 'accountId', 'live'], '"apiKey"')
  check(typeof key.live === 'boolean', '"apiKey.live" must be true for live mode or false for test mode')
  const name = 'apiKey.organizationKey'
  const organizationKey = headerItem(checkKey(key.organizationKey, name), name)
  return `${organizationKey},${headerItem(key.accountId, 'apiKey.accountId')},${String(key.live)}`
}

/** Visible ASCII without commas: for other characters, runtimes throw an error that quotes the key. */
function headerItem(item: unknown, name: string): string {
  check(
    typeof item === 'string' && /^[\x21-\x2b\x2d-\x7e]+$/.test(item),
    `"${name}" must be a string of ASCII characters without white space or commas. ` +
      'Pass an organization API key as { organizationKey, accountId, live }.',
  )
  return item
}

function check(isRight: boolean, message: string): asserts isRight {
  if (!isRight) throw new TypeError(message)
}
