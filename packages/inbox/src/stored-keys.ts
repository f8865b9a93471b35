import type { ReplayClaim, ReplayStore } from '@service-signature/core'
import { storedKey } from './keys.js'
import type { Times } from './options.js'

/** Statements of one database, each in a transaction of its own. Keys are as they are stored. */
export interface KeyStatements {
  readonly claim: (key: string, token: string) => Promise<ReplayClaim['status']>
  /** Does nothing if another token holds the claim. The lease may have run out: the delivery was handled anyway. */
  readonly commit: (key: string, token: string) => Promise<unknown>
  readonly release: (key: string, token: string) => Promise<unknown>
}

/** The keys of an inbox, as a {@link ReplayStore}. */
export class StoredKeys implements ReplayStore {
  readonly ttlSeconds: number
  readonly leaseSeconds: number
  readonly #statements: KeyStatements

  constructor(statements: KeyStatements, { ttlSeconds, leaseSeconds }: Times) {
    this.ttlSeconds = ttlSeconds
    this.leaseSeconds = leaseSeconds
    this.#statements = statements
  }

  async claim(key: string): Promise<ReplayClaim> {
    const token = crypto.randomUUID()
    const status = await this.#statements.claim(await storedKey(key), token)
    return { status, token: status === 'new' ? token : '' }
  }

  async commit(key: string, token: string): Promise<void> {
    await this.#statements.commit(await storedKey(key), token)
  }

  async release(key: string, token: string): Promise<void> {
    await this.#statements.release(await storedKey(key), token)
  }
}

export interface PruneOptions {
  readonly signal?: AbortSignal
}

/** How many old keys are deleted at once. */
export const PRUNE_BATCH = 10_000

/**
 * Deletes old keys, batch by batch.
 *
 * @param deleteBatch deletes at most {@link PRUNE_BATCH} keys
 * @returns how many were deleted
 */
export async function pruneAll(
  deleteBatch: () => number | Promise<number>,
  { signal }: PruneOptions = {},
): Promise<number> {
  let total = 0
  let count: number
  do {
    signal?.throwIfAborted()
    count = await deleteBatch()
    total += count
  } while (count === PRUNE_BATCH)
  return total
}
