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
