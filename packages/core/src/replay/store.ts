import { MAX_SECONDS, numberOption, ownOptions } from '../check-options.js'

/** Remembers which deliveries were handled. For your own, `@service-signature/core/testing` has the cases to pass. */
export interface ReplayStore {
  /** Claims a delivery, in one atomic step: of any number of claims of one key at one time, one is `new`. */
  readonly claim: (key: string) => ReplayClaim | Promise<ReplayClaim>
  /** The delivery was handled: the key is `done` from now on. Does nothing if another token holds the claim by now. */
  readonly commit: (key: string, token: string) => unknown
  /** It was not: the key is free again. Does nothing if another token holds the claim by now. */
  readonly release: (key: string, token: string) => unknown
  /** How long a commit is kept, if it is known. It must not be shorter than a delivery is accepted. */
  readonly ttlSeconds?: number
  /**
   * How long a claim lasts: when a sender has hung up and the handler has not ended after it, the delivery is reported as
   * abandoned. Without it, after 60 s.
   */
  readonly leaseSeconds?: number
}

export interface ReplayClaim {
  /**
   * - `new`: handle it; the claim lapses with its lease, if neither commit nor release ends it before
   * - `in-progress`: another request has claimed it
   * - `done`: it was handled before
   */
  readonly status: 'new' | 'in-progress' | 'done'
  /** Names this claim, so that no request ends the claim of another. */
  readonly token: string
}

/** The options of every store. */
export interface ReplayStoreOptions {
  /** How long a claim holds if its process dies: longer than the slowest handler takes. Default: 60. */
  readonly leaseSeconds?: number
  /** How long a handled delivery is remembered: no shorter than a delivery is fresh. Default: a day. */
  readonly ttlSeconds?: number
}

/**
 * A copy of a store's options, in which the times are checked and complete.
 *
 * @param others the names of the options that the store takes besides the times
 * @throws {TypeError | RangeError} on an option that is misspelled, of the wrong type or out of bounds
 */
export function checkStoreOptions<Options extends ReplayStoreOptions>(
  options: Options,
  others: readonly Exclude<keyof Options & string, keyof ReplayStoreOptions>[],
  owner: string,
): Partial<Options> & Required<ReplayStoreOptions> {
  const own = ownOptions(options, [...others, 'leaseSeconds', 'ttlSeconds'], owner)
  const bounds = { above: 0, max: MAX_SECONDS } as const
  return Object.assign(own, {
    leaseSeconds: numberOption(own.leaseSeconds, 'leaseSeconds', 60, bounds),
    ttlSeconds: numberOption(own.ttlSeconds, 'ttlSeconds', 86_400, bounds),
  })
}
