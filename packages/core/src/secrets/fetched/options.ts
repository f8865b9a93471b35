import type { OrganizationApiKey } from './api-key.js'

export interface FetchSecretOptions {
  /** The address of the payment service, without `/api/...`. `https:`, except for this machine itself. */
  readonly baseUrl: string | URL
  /** An account API key (S5.5), or an organization API key and the account to act on (S5.2). */
  readonly apiKey: string | OrganizationApiKey
  /** How long a secret is used before it is fetched anew. Default: `Infinity`, for it does not change (S4.2). */
  readonly maxAgeSeconds?: number
  /** How long past its age a secret is used while the service does not give one. Default: 86400, a day. */
  readonly staleSeconds?: number
  /** How long one attempt may take, the body of the answer included. Default: 5. */
  readonly timeoutSeconds?: number
  /** How often an attempt that failed is repeated before the call counts as failed. Default: 2. */
  readonly retries?: number
  /** How long at least between two refreshes: forged deliveries cause no more calls than this. Default: 300. */
  readonly refreshCooldownSeconds?: number
  /**
   * In place of the global `fetch`, for a proxy or a client certificate. It must pass on what it is given. In a
   * framework that keeps what `fetch` answers, pass one that does not:
   * `(url, init) => fetch(url, { ...init, cache: 'no-store' })`.
   */
  readonly fetch?: FetchFunction
  /** A cache that several instances share. */
  readonly cache?: SecretCache
  /** The clock, in milliseconds. For tests. Default: `Date.now`. */
  readonly now?: () => number
}

/**
 * A cache that several instances share, or that outlives one. It is asked before the service is, and told what the
 * service answered.
 *
 * It holds the signing secret in the clear, and whoever can write to it can sign deliveries: use a place that is
 * allowed to hold keys. One that fails or hangs makes a call slower, but does not make it fail.
 *
 * @example
 * const cache: SecretCache = {
 *   get: async () => JSON.parse((await redis.get('webhook-secret')) ?? 'null'),
 *   set: (value) => redis.set('webhook-secret', JSON.stringify(value)),
 * }
 */
export interface SecretCache {
  get(): CachedSecret | null | undefined | Promise<CachedSecret | null | undefined>
  /** A promise that it gives back is waited for; what it resolves to does not matter. */
  set(value: CachedSecret): unknown
}

/** A secret, and when the service gave it, in milliseconds. */
export interface CachedSecret {
  readonly secret: string
  readonly fetchedAt: number
}

/** As much of the global `fetch` as is used. */
export type FetchFunction = (
  url: string,
  init: {
    readonly method: 'GET'
    readonly headers: Record<string, string>
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<FetchResponse>

/** As much of a `Response` as is used. */
export interface FetchResponse {
  readonly status: number
  readonly type: string
  readonly headers: { get(name: string): string | null }
  readonly body: FetchResponseBody | null
}

/** As much of a `ReadableStream` as is used. */
export interface FetchResponseBody {
  getReader(): { read(): Promise<{ readonly value?: Uint8Array | undefined }> }
}

/** The options, checked and complete. */
export interface FetchSettings extends Required<Omit<FetchSecretOptions, 'baseUrl' | 'apiKey' | 'cache'>> {
  /** The whole address that is called. */
  readonly url: string
  /** The value of `X-Api-Key`. */
  readonly apiKey: string
  readonly cache: SecretCache | undefined
}
