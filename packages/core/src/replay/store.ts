/**
 * Remembers which deliveries were handled. For a store of your own, `@service-signature/core/testing` has the cases
 * that it must pass.
 */
export interface ReplayStore {
  /**
   * Says whose turn it is with the delivery of this key. All in one atomic step: of any number of claims of one key at
   * one time, one is `new`.
   */
  readonly claim: (key: string) => ReplayClaim | Promise<ReplayClaim>
  /**
   * The delivery was handled: from now on, and for as long as the store keeps it, the key is `done`. Does nothing where
   * another token holds the claim by now.
   */
  readonly commit: (key: string, token: string) => unknown
  /** It was not: the key is free again. Does nothing where another token holds the claim by now. */
  readonly release: (key: string, token: string) => unknown
  /** How long a commit is kept, if the store says so. It must not be shorter than a delivery is fresh. */
  readonly ttlSeconds?: number
}

export interface ReplayClaim {
  /**
   * - `new`: handle it; the claim lapses with its lease, if neither commit nor release ends it before
   * - `in-progress`: somebody else has claimed it
   * - `done`: it was handled before
   */
  readonly status: 'new' | 'in-progress' | 'done'
  /** Names this claim, so that nobody ends somebody else's. */
  readonly token: string
}
