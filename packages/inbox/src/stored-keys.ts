import type { ReplayClaim, ReplayStore, WebhookError } from '@service-signature/core'
import { storedKey } from './keys.js'
import { OwnClaims } from './own-claims.js'
import type { Times } from './options.js'

/** A {@link ReplayStore} outside of this process, which several processes share. */
export interface SharedReplayStore extends ReplayStore {
  readonly claim: (key: string) => Promise<ReplayClaim>
  readonly commit: (key: string, token: string) => Promise<void>
  readonly release: (key: string, token: string) => Promise<void>
  readonly ttlSeconds: number
  readonly leaseSeconds: number
}

/** The statements of an engine, each in a transaction of its own. Keys are as they are stored. */
export interface KeyStatements {
  readonly claim: (key: string, token: string) => Promise<ReplayClaim['status']>
  /** Does nothing if another token holds the claim. The lease may have run out: the delivery was handled anyway. */
  readonly commit: (key: string, token: string) => Promise<unknown>
  readonly release: (key: string, token: string) => Promise<unknown>
  /** The refusal of a delivery after a statement failed: the sender should retry it. */
  readonly refusalOf: (error: unknown) => WebhookError
  /** Whether a claim whose answer was lost is released at once: another process gets the retry as likely as this one. */
  readonly releasesAtOnce?: true
}

/** The keys of an inbox, or of a replay store outside of this process. */
export class StoredKeys implements SharedReplayStore {
  readonly ttlSeconds: number
  readonly leaseSeconds: number
  readonly #statements: KeyStatements
  readonly #own: OwnClaims

  constructor(
    statements: KeyStatements,
    { ttlSeconds, leaseSeconds }: Times,
    own = new OwnClaims(leaseSeconds),
  ) {
    this.ttlSeconds = ttlSeconds
    this.leaseSeconds = leaseSeconds
    this.#statements = statements
    this.#own = own
  }

  readonly claim = async (key: string): Promise<ReplayClaim> => {
    const stored = await storedKey(key)
    await this.#releaseUnconfirmed(stored)
    const token = crypto.randomUUID()
    const status = await this.#claim(stored, token)
    if (status !== 'new') return { status, token: '' }
    this.#own.add(stored, token, true)
    return { status, token }
  }

  readonly commit = async (key: string, token: string): Promise<void> =>
    this.#end('commit', await storedKey(key), token)

  readonly release = async (key: string, token: string): Promise<void> =>
    this.#end('release', await storedKey(key), token)

  async #claim(key: string, token: string): Promise<ReplayClaim['status']> {
    try {
      return await this.#statements.claim(key, token)
    } catch (error) {
      // The claim may have been made anyway, and a retry need not wait for the end of its lease.
      this.#own.add(key, token, false)
      if (this.#statements.releasesAtOnce) this.#statements.release(key, token).catch(() => undefined)
      throw this.#statements.refusalOf(error)
    }
  }

  async #releaseUnconfirmed(key: string): Promise<void> {
    const token = this.#own.unconfirmedToken(key)
    // If it fails, so does the claim, whose token would take the place of the one that is still to be released.
    if (token !== undefined) await this.#end('release', key, token)
  }

  async #end(step: 'commit' | 'release', key: string, token: string): Promise<void> {
    try {
      await this.#statements[step](key, token)
    } catch (error) {
      throw this.#statements.refusalOf(error)
    }
    this.#own.end(key, token)
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
