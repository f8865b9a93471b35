import { clockOption, numberOption } from '../shared/check-options.js'
import { checkStoreOptions, type ReplayStoreOptions } from '../shared/store-options.js'
import type { ReplayClaim, ReplayStore } from './store.js'

export interface MemoryReplayStoreOptions extends ReplayStoreOptions {
  /** How many deliveries are remembered; of more, the oldest are forgotten first. Default: 100,000. */
  readonly maxEntries?: number
  /** The clock, in milliseconds. For tests. Default: `Date.now`. */
  readonly now?: () => number
}

/** A {@link ReplayStore} that answers at once. */
export interface MemoryReplayStore extends Required<ReplayStore> {
  readonly claim: (key: string) => ReplayClaim
  readonly commit: (key: string, token: string) => void
  readonly release: (key: string, token: string) => void
  /** How many deliveries it remembers. */
  readonly size: number
}

/**
 * Remembers deliveries in this process alone: with several processes, a retry may reach another one.
 *
 * @example
 * app.post('/webhooks', serviceSignature({ secret, replay: memoryReplayStore() }), handler)
 *
 * @throws {TypeError | RangeError} on an option that is misspelled, of the wrong type or out of bounds
 */
export function memoryReplayStore(options: MemoryReplayStoreOptions = {}): MemoryReplayStore {
  const own = checkStoreOptions(options, ['maxEntries', 'now'], 'memoryReplayStore')
  const { leaseSeconds, ttlSeconds } = own
  // A Map has room for less than 2 ** 24 entries.
  const bounds = { above: 0, max: 10_000_000, isWhole: true } as const
  const maxEntries = numberOption(own, 'maxEntries', 100_000, bounds)
  const now = clockOption(own.now)

  // In the order in which they lapse. Of the many commits, only that time is kept.
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
    // Claims are forgotten last, because their deliveries are the likeliest to be retried.
    if (commits.size + claims.size === maxEntries) forget((commits.oldest() ?? claims.oldest())!.key)
  }

  return {
    ttlSeconds,
    leaseSeconds,

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
      // The lease may have run out: the delivery was handled anyway.
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

/** Below this many stale entries, compaction is not worth it. */
const FEW = 64

/** A map that knows its oldest entry. A `Map` finds that only by stepping over all that were deleted since it last grew. */
export class AgingMap<Value> {
  readonly #entries = new Map<string, Value>()
  // In the order of age. Deleted entries stay until they reach the front, or until there are too many of them.
  readonly #keys: string[] = []
  readonly #values: Value[] = []
  #front = 0

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  /** Adds a key that is not there, as the youngest. */
  add(key: string, value: Value): void {
    // When this runs changes only memory and time; that it runs often enough has a test of its own.
    // Stryker disable next-line ConditionalExpression,EqualityOperator,ArithmeticOperator: the entries are the same.
    if (this.#keys.length > 2 * this.size + FEW) this.#tidyUp()
    this.#entries.set(key, value)
    this.#keys.push(key)
    this.#values.push(value)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  oldest(): { readonly key: string; readonly value: Value } | undefined {
    // Past the end, the key and the value are both undefined, which ends the loop like an entry that is present.
    // Stryker disable next-line ConditionalExpression,EqualityOperator: the second condition ends the loop too.
    while (this.#front < this.#keys.length && !this.#isThere(this.#front)) this.#front++
    if (this.#front === this.#keys.length) return undefined
    return { key: this.#keys[this.#front]!, value: this.#values[this.#front]! }
  }

  #isThere(index: number): boolean {
    return this.#entries.get(this.#keys[index]!) === this.#values[index]
  }

  #tidyUp(): void {
    let kept = 0
    for (let index = this.#front; index < this.#keys.length; index++) {
      if (!this.#isThere(index)) continue
      this.#keys[kept] = this.#keys[index]!
      this.#values[kept++] = this.#values[index]!
    }
    this.#keys.length = this.#values.length = kept
    this.#front = 0
  }
}
