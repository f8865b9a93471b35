import type { CachedSecret, FetchSettings } from './options.js'

/** The secret that is kept, and how old it may be. */
export interface HeldSecret {
  readonly fetchedAt: number | undefined
  /** The secret, unless it is older than `maxAgeSeconds`. */
  readonly fresh: () => string | undefined
  /** The secret, unless it is older than `maxAgeSeconds` and `staleSeconds` together. */
  readonly usable: () => string | undefined
  /** Keeps what the call of this number brought, unless a later call was faster. Gives back what is kept now. */
  readonly fill: (value: CachedSecret, call: number) => CachedSecret
  /** Keeps what the call of this number found in the shared cache, if that was fetched later. */
  readonly adopt: (value: CachedSecret, call: number) => void
  readonly forget: () => void
}

export function holdSecret({ now, maxAgeSeconds, staleSeconds }: FetchSettings): HeldSecret {
  let held: CachedSecret | undefined
  let filledBy = 0

  const youngerThan = (seconds: number): string | undefined =>
    held !== undefined && now() - held.fetchedAt <= seconds * 1000 ? held.secret : undefined

  return {
    get fetchedAt() {
      return held?.fetchedAt
    },
    fresh: () => youngerThan(maxAgeSeconds),
    usable: () => youngerThan(maxAgeSeconds + staleSeconds),
    fill(value, call) {
      if (held !== undefined && call < filledBy) return held
      filledBy = call
      return (held = value)
    },
    adopt(value, call) {
      if (held !== undefined && value.fetchedAt <= held.fetchedAt) return
      held = value
      filledBy = Math.max(filledBy, call)
    },
    forget() {
      held = undefined
    },
  }
}
