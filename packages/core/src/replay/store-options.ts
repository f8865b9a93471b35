import { ownOptions, secondsOption } from '../options.js'

/** What every store takes. */
export interface ReplayStoreOptions {
  /** How long a claim holds if its process dies: longer than the slowest handler takes. Default: 60. */
  readonly leaseSeconds?: number
  /** How long a handled delivery is remembered: no shorter than a delivery is fresh. Default: a day. */
  readonly ttlSeconds?: number
}

const DAY = 86_400
// What every clock and every store can still count.
const THOUSAND_YEARS = 365 * 1000 * DAY

/**
 * A copy of a store's options, in which the times are checked and complete.
 *
 * @param others the names of the options that the store takes beside the times
 * @throws {TypeError} on an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function checkStoreOptions<Options extends ReplayStoreOptions>(
  options: Options,
  others: readonly Exclude<keyof Options & string, keyof ReplayStoreOptions>[],
  owner: string,
): Partial<Options> & Required<ReplayStoreOptions> {
  const own = ownOptions(options, [...others, 'leaseSeconds', 'ttlSeconds'], owner)
  const isAllowed = (value: number) => value > 0 && value <= THOUSAND_YEARS
  const allowed = 'a number of seconds above 0, and at most a thousand years'
  return Object.assign(own, {
    leaseSeconds: secondsOption(own.leaseSeconds, 'leaseSeconds', { default: 60, isAllowed, allowed }),
    ttlSeconds: secondsOption(own.ttlSeconds, 'ttlSeconds', { default: DAY, isAllowed, allowed }),
  })
}
