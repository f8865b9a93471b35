import { AgingMap } from './aging-map.js'
import { checkStoreOptions, type ReplayClaim, type ReplayStore, type ReplayStoreOptions } from './store.js'

const MAX_ENTRIES = 10_000_000

export interface MemoryReplayStoreOptions extends ReplayStoreOptions {
  /** How many deliveries are remembered; of more, the oldest are forgotten first. Default: 100,000. */
  readonly maxEntries?: number
  /** The clock, in milliseconds. For tests. Default: `Date.now`. */
  readonly now?: () => number
}

/** A {@link ReplayStore} that answers at once. */
export interface MemoryReplayStore extends ReplayStore {
  readonly claim: (key: string) => ReplayClaim
  readonly commit: (key: string, token: string) => void
  readonly release: (key: string, token: string) => void
  readonly ttlSeconds: number
  /** How many deliveries it remembers. */
  readonly size: number
}

/**
 * Remembers deliveries in this process: for an endpoint that runs once. Where there are more processes, a delivery that
 * comes again may reach another one.
 *
 * @example
 * app.post('/webhooks', serviceSignature({ secret, replay: memoryReplayStore() }), handler)
 *
 * @throws {TypeError} on an option that is misspelled or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function memoryReplayStore(options: MemoryReplayStoreOptions = {}): MemoryReplayStore {
  const own = checkStoreOptions(options, ['maxEntries', 'now'], 'memoryReplayStore')
  const { leaseSeconds, ttlSeconds, now = Date.now } = own
  const maxEntries = checkMaxEntries(own.maxEntries)
  if (typeof now !== 'function') throw new TypeError(`"now" must be a function that gives milliseconds`)

  // Apart, for there are few claims and many commits, and of a commit no more is kept than when it lapses. Each is in the
  // order in which its entries lapse.
  const claims = new AgingMap<Lease>()
  const commits = new AgingMap<number>()
  let lastToken = 0

  const liveClaim = (key: string, time: number) => {
    const claim = claims.get(key)
    return claim !== undefined && claim.lapses > time ? claim : undefined
  }
  const forget = (key: string) => {
    claims.delete(key)
    commits.delete(key)
  }
  const makeRoom = (time: number) => {
    deleteWhile(claims, ({ lapses }) => lapses <= time)
    deleteWhile(commits, (lapses) => lapses <= time)
    // A claim goes last: its delivery is the likeliest to come again.
    if (commits.size + claims.size === maxEntries) forget((commits.oldest() ?? claims.oldest())!.key)
  }

  return {
    ttlSeconds,

    get size() {
      return claims.size + commits.size
    },

    claim(key) {
      const time = now()
      if ((commits.get(key) ?? 0) > time) return { status: 'done', token: '' }
      if (liveClaim(key, time) !== undefined) return { status: 'in-progress', token: '' }
      forget(key)
      makeRoom(time)
      // Stryker disable next-line UpdateOperator: tokens must be different, not ascending.
      const token = String(++lastToken)
      claims.add(key, { token, lapses: time + leaseSeconds * 1000 })
      return { status: 'new', token }
    },

    commit(key, token) {
      const time = now()
      const claim = liveClaim(key, time)
      if (claim !== undefined && claim.token !== token) return
      // The lease may have run out: the delivery was handled all the same.
      forget(key)
      makeRoom(time)
      commits.add(key, time + ttlSeconds * 1000)
    },

    release(key, token) {
      if (claims.get(key)?.token === token) claims.delete(key)
    },
  }
}

interface Lease {
  readonly token: string
  readonly lapses: number
}

function deleteWhile<Value>(entries: AgingMap<Value>, isOver: (value: Value) => boolean): void {
  for (let oldest; (oldest = entries.oldest()) !== undefined && isOver(oldest.value);) {
    entries.delete(oldest.key)
  }
}

function checkMaxEntries(count: unknown = 100_000): number {
  if (typeof count !== 'number') {
    throw new TypeError(`"maxEntries" must be a number, and is of type ${typeof count}`)
  }
  // What a Map can hold is less than 2 ** 24.
  if (!Number.isSafeInteger(count) || count < 1 || count > MAX_ENTRIES) {
    throw new RangeError(`"maxEntries" must be a whole number from 1 to ${MAX_ENTRIES}, and is ${count}`)
  }
  return count
}
