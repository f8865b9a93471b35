import { MAX_SECONDS, numberOption, ownOptions } from './check-options.js'

/** The options of every store. */
export interface ReplayStoreOptions {
  /** How long a claim holds if its process dies: longer than the slowest handler takes. Default: 60. */
  readonly leaseSeconds?: number
  /** How long a handled delivery is remembered: no shorter than a delivery is fresh. Default: a day. */
  readonly ttlSeconds?: number
}

/** A copy of a store's options, in which the times are checked and complete. `others` are its options besides the times. */
export function checkStoreOptions<Options extends ReplayStoreOptions>(
  options: Options,
  others: readonly Exclude<keyof Options & string, keyof ReplayStoreOptions>[],
  owner: string,
): Partial<Options> & Required<ReplayStoreOptions> {
  const own = ownOptions(options, [...others, 'leaseSeconds', 'ttlSeconds'], owner)
  const bounds = { above: 0, max: MAX_SECONDS } as const
  return Object.assign(own, {
    leaseSeconds: numberOption(own, 'leaseSeconds', 60, bounds),
    ttlSeconds: numberOption(own, 'ttlSeconds', 86_400, bounds),
  })
}
