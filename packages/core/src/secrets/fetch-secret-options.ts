import { ownOptions, numberOption } from '../options.js'
import { checkKey } from '../keys.js'

export interface FetchSecretOptions {
  /** The address of the payment service, without `/api/...`. `https:`, except on this machine. */
  readonly baseUrl: string | URL
  /** An account API key, or an organization API key and the account to act on. */
  readonly apiKey: string | OrganizationApiKey
  /**
   * Accepts `http:` to any host, for containers on a private network. The API key and the secret are then sent
   * unencrypted: anything on the way can read them, or answer with a secret of its own, and then sign deliveries.
   * Default: false, `http:` to `localhost`, `127.0.0.0/8` and `[::1]` only.
   */
  readonly allowInsecureHttp?: boolean
  /** How long a secret is used before it is fetched again. Default: `Infinity`. */
  readonly maxAgeSeconds?: number
  /** How long an expired secret stays in use while the service does not give a new one. Default: 86400, a day. */
  readonly staleSeconds?: number
  /** How long a call may take, the body of the answer included. Default: 5. */
  readonly timeoutSeconds?: number
  /** The least time between two refreshes: forged deliveries cause at most one call in it. Default: 300. */
  readonly refreshCooldownSeconds?: number
  /**
   * Replaces the global `fetch`, for a proxy or a client certificate. It must pass on its arguments. In a framework
   * that caches answers of `fetch`, pass one that does not:
   * `(url, init) => fetch(url, { ...init, cache: 'no-store' })`.
   */
  readonly fetch?: FetchFunction
  /** A cache that several instances share. */
  readonly cache?: SecretCache
  /** The clock, in milliseconds. For tests. Default: `Date.now`. */
  readonly now?: () => number
}

/** An organization API key, used instead of an account API key. */
export interface OrganizationApiKey {
  readonly organizationKey: string
  /** The account to act on. */
  readonly accountId: string
  /** `true` for live mode, `false` for test mode. */
  readonly live: boolean
}

/**
 * A cache that several instances share, or that outlives one. It is asked before the service, and gets each secret that
 * the service answers with. Its keys differ for each address and API key, so that several accounts can share one cache.
 *
 * It holds the signing secret unencrypted, and anything that can write to it can sign deliveries: use a place that is
 * allowed to hold keys. A cache that fails or hangs makes a call slower, but does not make it fail.
 *
 * @example
 * const cache: SecretCache = {
 *   get: async (key) => JSON.parse((await redis.get(key)) ?? 'null'),
 *   set: (key, value) => redis.set(key, JSON.stringify(value)),
 * }
 */
export interface SecretCache {
  get(key: string): Promise<CachedSecret | null | undefined>
  /** The source waits for the promise; the value that it resolves to is ignored. */
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
  init: {
    readonly method: 'GET'
    readonly headers: Record<string, string>
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
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

/** The options, checked and complete. */
export interface FetchSettings extends Required<
  Omit<FetchSecretOptions, 'baseUrl' | 'apiKey' | 'allowInsecureHttp' | 'cache'>
> {
  /** The whole address that is called. */
  readonly url: string
  /** The value of `X-Api-Key`. */
  readonly apiKey: string
  readonly cache: SecretCache | undefined
}

const OPTIONS = [
  'baseUrl',
  'apiKey',
  'allowInsecureHttp',
  'maxAgeSeconds',
  'staleSeconds',
  'timeoutSeconds',
  'refreshCooldownSeconds',
  'fetch',
  'cache',
  'now',
] as const satisfies readonly (keyof FetchSecretOptions)[]

const ABOVE_0 = {
  isAllowed: (value: number) => value > 0,
  allowed: 'a number of seconds above 0, or Infinity',
}

/**
 * The options, checked and complete. Later changes to the caller's object change nothing here.
 *
 * @throws {TypeError} on a wrong or missing option
 * @throws {RangeError} on a number out of bounds
 */
export function checkFetchOptions(options: FetchSecretOptions): FetchSettings {
  const own = ownOptions(options, OPTIONS, 'fetchSecret')
  return {
    url: secretAddress(own.baseUrl, own.allowInsecureHttp),
    apiKey: apiKeyHeader(own.apiKey),
    maxAgeSeconds: numberOption(own.maxAgeSeconds, 'maxAgeSeconds', { default: Infinity, ...ABOVE_0 }),
    staleSeconds: numberOption(own.staleSeconds, 'staleSeconds', {
      default: 86_400,
      isAllowed: (value) => value >= 0,
      allowed: 'a number of seconds, 0 or above, or Infinity',
    }),
    // No sender waits longer, and a timer over 24 days fires at once.
    timeoutSeconds: numberOption(own.timeoutSeconds, 'timeoutSeconds', {
      default: 5,
      isAllowed: (value) => value > 0 && value <= 300,
      allowed: 'a number of seconds above 0, at most 300',
    }),
    refreshCooldownSeconds: numberOption(own.refreshCooldownSeconds, 'refreshCooldownSeconds', {
      default: 300,
      ...ABOVE_0,
    }),
    // Looked up at each call, so that instrumentation which replaces the global fetch later is used.
    fetch: functionOption(own.fetch, 'fetch') ?? ((url, init) => fetch(url, init)),
    cache: cacheOption(own.cache),
    now: functionOption(own.now, 'now') ?? Date.now,
  }
}

/**
 * The key of an account's secret in a shared cache, another one for each address and API key. The 64 bits of SHA-256 in
 * it do not lead back to the API key.
 */
export async function cacheKey({ url, apiKey }: FetchSettings): Promise<string> {
  const text = new TextEncoder().encode(`${url}\n${apiKey}`)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).subarray(0, 8)
  return `service-signature:secret:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function functionOption<Value>(value: Value | undefined, name: string): Value | undefined {
  if (value === undefined || typeof value === 'function') return value
  throw new TypeError(`"${name}" must be a function, got ${typeof value}`)
}

function cacheOption(cache: SecretCache | undefined): SecretCache | undefined {
  if (cache === undefined) return undefined
  if (cache instanceof Map) {
    throw new TypeError(
      '"cache" must be shared between instances, and a Map is not. Leave "cache" out: a source keeps its secret in memory anyway.',
    )
  }
  const { get, set } = Object(cache) as Partial<SecretCache>
  if (typeof get === 'function' && typeof set === 'function') return cache
  throw new TypeError('"cache" must be an object with the functions "get" and "set"')
}

/**
 * The address of the signing secret below `baseUrl`, which may have a path and a slash at its end.
 *
 * @throws {TypeError} on an address that the key must not be sent to; the message does not show it
 */
function secretAddress(baseUrl: string | URL | undefined, allowInsecureHttp: unknown = false): string {
  const { protocol, hostname, origin, pathname, username, password, search, hash } = parseAddress(baseUrl)
  if (username + password + search + hash !== '') {
    throw new TypeError('"baseUrl" must not have a user name, a password, a query or a fragment')
  }
  if (typeof allowInsecureHttp !== 'boolean') {
    throw new TypeError(`"allowInsecureHttp" must be true or false, got ${typeof allowInsecureHttp}`)
  }
  const isAllowed =
    protocol === 'https:' || (protocol === 'http:' && (allowInsecureHttp || isLoopback(hostname)))
  if (!isAllowed) {
    throw new TypeError(
      '"baseUrl" must start with https:, because the API key is sent there. http: is accepted for localhost, 127.0.0.0/8 and [::1], and on a private network with allowInsecureHttp: true.',
    )
  }
  return `${origin}${pathname.replace(/\/+$/, '')}/api/v1/organizations/get-webhook-signature-key/`
}

function parseAddress(baseUrl: string | URL | undefined): URL {
  try {
    return new URL(baseUrl!)
  } catch {
    // The runtime's own error quotes the text.
    throw new TypeError('"baseUrl" must be a whole address, such as https://api.example.com')
  }
}

/**
 * Whether requests to this host stay on this machine. `URL` has brought every spelling of an IP address to this form.
 * Names below `localhost` are not included, because resolvers may ask the network's DNS server for them.
 */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/**
 * The value of `X-Api-Key`: the account API key, or the three items of an organization API key, joined by commas.
 *
 * @throws {TypeError} on a key that cannot be right; the message does not show it
 */
function apiKeyHeader(apiKey: string | OrganizationApiKey | undefined): string {
  if (typeof apiKey !== 'object' || (apiKey as unknown) === null) {
    return headerItem(checkKey(apiKey, 'apiKey'), 'apiKey')
  }
  const { organizationKey, accountId, live } = ownOptions(
    apiKey,
    ['organizationKey', 'accountId', 'live'] satisfies (keyof OrganizationApiKey)[],
    '"apiKey"',
  )
  if (typeof live !== 'boolean') {
    throw new TypeError('"apiKey.live" must be true for live mode or false for test mode')
  }
  const name = 'apiKey.organizationKey'
  return `${headerItem(checkKey(organizationKey, name), name)},${headerItem(accountId, 'apiKey.accountId')},${live}`
}

/** Visible ASCII without commas. Runtimes report other characters in a header with an error that quotes the key. */
function headerItem(item: unknown, name: string): string {
  if (typeof item === 'string' && /^[\x21-\x2b\x2d-\x7e]+$/.test(item)) return item
  throw new TypeError(
    `"${name}" must be a string of ASCII characters without white space or commas. Pass an organization API key as { organizationKey, accountId, live }.`,
  )
}
